// SET: m=12,n=16,l=8,s=2,h=4,B0=4,B1=4
// SET: m=5,n=8,l=7,s=2,h=3,B0=5,B1=2
// RUN: %treefork verify %s --set m=12,n=16,l=8,s=2,h=4,B0=4,B1=4 --set m=5,n=8,l=7,s=2,h=3,B0=5,B1=2 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// C = A transposed by B, double.
#include <metafork.h>
void gemm_tn(int m, int n, int l, int s, int h, int B0, int B1, const double A[l][m], const double B[l][n], double C[m][n])
{
    meta_schedule cache(A, B) {
        meta_for (int i = 0; i < m / B0; i++)
            meta_for (int j = 0; j < n / (s * B1); j++)
                for (int k = 0; k < l / h; k++)
                    meta_for (int u = 0; u < B0; u++)
                        meta_for (int v = 0; v < B1; v++)
                            for (int z = 0; z < h; z++)
                                for (int w = 0; w < s; w++)
                                    C[i * B0 + u][(j * s + w) * B1 + v] +=
                                        A[k * h + z][i * B0 + u] * B[k * h + z][(j * s + w) * B1 + v];
    }
}
