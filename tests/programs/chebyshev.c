// SET: n=31,B=8
// SET: n=1,B=1
// SET: n=100,B=32
// RUN: %treefork verify %s --set n=31,B=8 --set n=1,B=1 --set n=100,B=32 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Chebyshev polynomials by recurrence in a local array, nested conditions on the argument.
#include <metafork.h>
static const double coefficient[6] = {0.5, -1.0, 0.25, 2.0, -0.125, 1.0};
void chebyshev(int n, int B, const double *restrict x, double *restrict y)
{
    meta_schedule {
        meta_for (int i = 0; i < (n + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                double t[6] = {1.0};
                if (p < n) {
                    double v = x[p];
                    if (v > 1)
                        v = 1;
                    else {
                        if (v < -1)
                            v = -1;
                    }
                    t[1] = v;
                    for (int k = 2; k < 6; k++)
                        t[k] = 2 * v * t[k - 1] - t[k - 2];
                    y[p] = 0;
                    for (int k = 5; k >= 0; --k)
                        y[p] += coefficient[k] * t[k];
                }
            }
    }
}
