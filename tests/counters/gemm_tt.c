// SET: m=8,n=12,l=6,h=3,B0=4,B1=2
// SET: m=6,n=5,l=4,h=2,B0=2,B1=5
// RUN: %treefork verify %s --set m=8,n=12,l=6,h=3,B0=4,B1=2 --set m=6,n=5,l=4,h=2,B0=2,B1=5 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// C = A transposed by B transposed with alpha, nothing staged.
#include <metafork.h>
void gemm_tt(int m, int n, int l, int h, int B0, int B1, double alpha, const double A[l][m], const double B[n][l],
             double C[m][n])
{
    meta_schedule {
        meta_for (int i = 0; i < m / B0; i++)
            meta_for (int j = 0; j < n / B1; j++)
                for (int k = 0; k < l / h; k++)
                    meta_for (int u = 0; u < B0; u++)
                        meta_for (int v = 0; v < B1; v++)
                            for (int z = 0; z < h; z++)
                                C[i * B0 + u][j * B1 + v] += alpha * A[k * h + z][i * B0 + u] * B[j * B1 + v][k * h + z];
    }
}
