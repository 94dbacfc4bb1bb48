// SET: systems=13,n=6,B=4
// SET: systems=1,n=1,B=2
// SET: systems=64,n=9,B=16
// RUN: %treefork verify %s --set systems=13,n=6,B=4 --set systems=1,n=1,B=2 --set systems=64,n=9,B=16 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Many tridiagonal systems after Thomas, a system per thread, elimination upwards and substitution downwards.
#include <metafork.h>
void tridiagonal(int systems, int n, int B, const float lower[n][systems], const float upper[n][systems],
                 float rhs[n][systems], float work[n][systems])
{
    meta_schedule {
        meta_for (int i = 0; i < (systems + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int q = i * B + j;
                if (q < systems) {
                    work[0][q] = upper[0][q] / 4.0f;
                    rhs[0][q] = rhs[0][q] / 4.0f;
                    for (int k = 1; k < n; k++) {
                        float m = 1.0f / (4.0f - lower[k][q] * work[k - 1][q]);
                        work[k][q] = upper[k][q] * m;
                        rhs[k][q] = (rhs[k][q] - lower[k][q] * rhs[k - 1][q]) * m;
                    }
                    for (int k = n - 2; k >= 0; k--)
                        rhs[k][q] -= work[k][q] * rhs[k + 1][q];
                }
            }
    }
}
