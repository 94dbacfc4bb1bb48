// SET: N=18,s=2,B0=4,B1=4
// SET: N=11,s=1,B0=3,B1=3
// RUN: %treefork verify %s --set N=18,s=2,B0=4,B1=4 --set N=11,s=1,B0=3,B1=3 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Five points whose weights are arrays themselves.
#include <metafork.h>
void stencil2_coefficients(int N, int s, int B0, int B1, const float c[N][N], const float n[N][N], const float e[N][N],
                           const float x[N][N], float y[N][N])
{
    int dim0 = (N - 2) / B0, dim1 = (N - 2) / (s * B1);
    meta_schedule cache(x) {
        meta_for (int i = 0; i < dim0; i++)
            meta_for (int j = 0; j < dim1; j++)
                meta_for (int u = 0; u < B0; u++)
                    meta_for (int v = 0; v < B1; v++)
                        for (int k = 0; k < s; k++) {
                            int p = i * B0 + u + 1, q = (j * s + k) * B1 + v + 1;
                            y[p][q] = c[p][q] * x[p][q] + n[p][q] * x[p - 1][q] + n[p + 1][q] * x[p + 1][q] +
                                      e[p][q] * x[p][q - 1] + e[p][q + 1] * x[p][q + 1];
                        }
    }
}
