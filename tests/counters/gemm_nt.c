// SET: m=12,n=16,l=8,s=2,h=4,B0=4,B1=4
// SET: m=6,n=9,l=5,s=1,h=2,B0=3,B1=3
// RUN: %treefork verify %s --set m=12,n=16,l=8,s=2,h=4,B0=4,B1=4 --set m=6,n=9,l=5,s=1,h=2,B0=3,B1=3 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// C = A B transposed, several columns a thread.
#include <metafork.h>
void gemm_nt(int m, int n, int l, int s, int h, int B0, int B1, const float A[m][l], const float B[n][l], float C[m][n])
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
                                        A[i * B0 + u][k * h + z] * B[(j * s + w) * B1 + v][k * h + z];
    }
}
