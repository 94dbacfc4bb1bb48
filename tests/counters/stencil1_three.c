// SET: n=61,s=2,B=8
// SET: n=18,s=3,B=4
// RUN: %treefork verify %s --set n=61,s=2,B=8 --set n=18,s=3,B=4 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Three points, several cells a thread, the last ones guarded.
#include <metafork.h>
void stencil1_three(int n, int s, int B, float w, const float a[restrict n], float b[restrict n])
{
    int dim = (n - 2 + s * B - 1) / (s * B);
    meta_schedule cache(a) {
        meta_for (int i = 0; i < dim; i++)
            meta_for (int j = 0; j < B; j++)
                for (int k = 0; k < s; k++) {
                    int p = (i * s + k) * B + j + 1;
                    if (p < n - 1)
                        b[p] = (1.0f - 2.0f * w) * a[p] + w * (a[p - 1] + a[p + 1]);
                }
    }
}
