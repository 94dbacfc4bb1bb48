// SET: n=10,m=12,s=2,B0=2,B1=3
// SET: n=6,m=7,s=1,B0=4,B1=2
// RUN: %treefork verify %s --set n=10,m=12,s=2,B0=2,B1=3 --set n=6,m=7,s=1,B0=4,B1=2 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// C = L B with a lower triangular L: the inner loop ends at the row.
#include <metafork.h>
void trmm_left(int n, int m, int s, int B0, int B1, const double L[n][n], const double B[n][m], double C[n][m])
{
    meta_schedule {
        meta_for (int i = 0; i < (n + B0 - 1) / B0; i++)
            meta_for (int j = 0; j < (m + s * B1 - 1) / (s * B1); j++)
                meta_for (int u = 0; u < B0; u++)
                    meta_for (int v = 0; v < B1; v++)
                        for (int w = 0; w < s; w++) {
                            int r = i * B0 + u, c = (j * s + w) * B1 + v;
                            if (r < n && c < m) {
                                double sum = 0.0;
                                for (int k = 0; k <= r; k++)
                                    sum += L[r][k] * B[k][c];
                                C[r][c] = sum;
                            }
                        }
    }
}
