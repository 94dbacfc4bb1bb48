// SET: m=9,n=22,l=7,s=2,B0=4,B1=4
// SET: m=4,n=12,l=5,s=3,B0=2,B1=4
// RUN: %treefork verify %s --set m=9,n=22,l=7,s=2,B0=4,B1=4 --set m=4,n=12,l=5,s=3,B0=2,B1=4 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// C = A B with the whole inner product in one local, ceilings, no staging.
#include <metafork.h>
void gemm_local(int m, int n, int l, int s, int B0, int B1, const float A[m][l], const float B[l][n], float C[m][n])
{
    int dim0 = (m + B0 - 1) / B0, dim1 = (n + s * B1 - 1) / (s * B1);
    meta_schedule {
        meta_for (int i = 0; i < dim0; i++)
            meta_for (int j = 0; j < dim1; j++)
                meta_for (int u = 0; u < B0; u++)
                    meta_for (int v = 0; v < B1; v++)
                        for (int w = 0; w < s; w++) {
                            int r = i * B0 + u, c = (j * s + w) * B1 + v;
                            if (r < m && c < n) {
                                float sum = 0.0f;
                                for (int k = 0; k < l; k++)
                                    sum += A[r][k] * B[k][c];
                                C[r][c] = sum;
                            }
                        }
    }
}
