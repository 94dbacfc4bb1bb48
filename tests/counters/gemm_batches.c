// SET: p=3,n=8,B0=1,B1=2,B2=4
// SET: p=4,n=6,B0=2,B1=3,B2=2
// RUN: %treefork verify %s --set p=3,n=8,B0=1,B1=2,B2=4 --set p=4,n=6,B0=2,B1=3,B2=2 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Small products in a batch, three axes.
#include <metafork.h>
void gemm_batches(int p, int n, int B0, int B1, int B2, const float A[p][n][n], const float B[p][n][n], float C[p][n][n])
{
    meta_schedule {
        meta_for (int g = 0; g < p / B0; g++)
            meta_for (int i = 0; i < n / B1; i++)
                meta_for (int j = 0; j < n / B2; j++)
                    meta_for (int t = 0; t < B0; t++)
                        meta_for (int u = 0; u < B1; u++)
                            meta_for (int v = 0; v < B2; v++) {
                                int q = g * B0 + t, r = i * B1 + u, c = j * B2 + v;
                                float sum = C[q][r][c];
                                for (int k = 0; k < n; k++)
                                    sum += A[q][r][k] * B[q][k][c];
                                C[q][r][c] = sum;
                            }
    }
}
