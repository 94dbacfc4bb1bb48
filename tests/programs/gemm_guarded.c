// SET: m=13,n=11,l=7,B0=4,B1=3,h=2,alpha=1.5,beta=-0.5
// SET: m=3,n=2,l=5,B0=8,B1=4,h=4,alpha=1,beta=0
// SET: m=16,n=24,l=8,B0=4,B1=8,h=8,alpha=-1,beta=2
// RUN: %treefork verify %s --set m=13,n=11,l=7,B0=4,B1=3,h=2,alpha=1.5,beta=-0.5 --set m=3,n=2,l=5,B0=8,B1=4,h=4,alpha=1,beta=0 --set m=16,n=24,l=8,B0=4,B1=8,h=8,alpha=-1,beta=2 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// C = alpha A B + beta C for any sizes: pieces of the inner dimension, each cut off by a guard.
#include <metafork.h>
void gemm_guarded(int m, int n, int l, int B0, int B1, int h, float alpha, float beta, const float A[m][l],
                  const float B[l][n], float C[m][n])
{
    int d0 = (m + B0 - 1) / B0, d1 = (n + B1 - 1) / B1, pieces = (l + h - 1) / h;
    meta_schedule cache(A, B) {
        meta_for (int bi = 0; bi < d0; bi++)
            meta_for (int bj = 0; bj < d1; bj++) {
                meta_for (int ti = 0; ti < B0; ti++)
                    meta_for (int tj = 0; tj < B1; tj++) {
                        int r = bi * B0 + ti, c = bj * B1 + tj;
                        if (r < m && c < n)
                            C[r][c] *= beta;
                    }
                for (int piece = 0; piece < pieces; piece++)
                    meta_for (int ti = 0; ti < B0; ti++)
                        meta_for (int tj = 0; tj < B1; tj++) {
                            int r = bi * B0 + ti, c = bj * B1 + tj;
                            if (r < m && c < n)
                                for (int z = 0; z < h; z++) {
                                    int x = piece * h + z;
                                    if (x < l)
                                        C[r][c] += alpha * A[r][x] * B[x][c];
                                }
                        }
            }
    }
}
