// SET: n=72,s=2,B=8
// SET: n=29,s=1,B=5
// RUN: %treefork verify %s --set n=72,s=2,B=8 --set n=29,s=1,B=5 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// An eighth-order second derivative: radius four, double.
#include <metafork.h>
void stencil1_radius4(int n, int s, int B, double h, const double u[n], double d[n])
{
    int dim = (n - 8) / (s * B);
    meta_schedule cache(u) {
        meta_for (int i = 0; i < dim; i++)
            meta_for (int j = 0; j < B; j++)
                for (int k = 0; k < s; k++) {
                    int p = (i * s + k) * B + j + 4;
                    d[p] = (-205.0 / 72.0 * u[p] + 1.6 * (u[p - 1] + u[p + 1]) - 0.2 * (u[p - 2] + u[p + 2]) +
                            8.0 / 315.0 * (u[p - 3] + u[p + 3]) - 1.0 / 560.0 * (u[p - 4] + u[p + 4])) * h;
                }
    }
}
