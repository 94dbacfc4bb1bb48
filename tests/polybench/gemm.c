/* C = alpha A B + beta C. The sum goes in pieces of h, of which A and B are staged. */
#include <metafork.h>

void gemm(int ni, int nj, int nk, double alpha, double beta, double C[ni][nj], const double A[ni][nk],
          const double B[nk][nj], int B0, int B1, int h)
{
    meta_schedule cache(A, B) {
        meta_for (int bi = 0; bi < (ni + B0 - 1) / B0; bi++)
            meta_for (int bj = 0; bj < (nj + B1 - 1) / B1; bj++) {
                meta_for (int ti = 0; ti < B0; ti++)
                    meta_for (int tj = 0; tj < B1; tj++) {
                        int i = bi * B0 + ti, j = bj * B1 + tj;
                        if (i < ni && j < nj)
                            C[i][j] *= beta;
                    }
                for (int p = 0; p < (nk + h - 1) / h; p++)
                    meta_for (int ti = 0; ti < B0; ti++)
                        meta_for (int tj = 0; tj < B1; tj++) {
                            int i = bi * B0 + ti, j = bj * B1 + tj;
                            if (i < ni && j < nj)
                                for (int z = 0; z < h; z++) {
                                    int k = p * h + z;
                                    if (k < nk)
                                        C[i][j] += alpha * A[i][k] * B[k][j];
                                }
                        }
            }
    }
}
