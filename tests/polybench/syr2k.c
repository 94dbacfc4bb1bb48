/* The lower triangle of C = alpha A B^T + alpha B A^T + beta C, in pieces of h. */
#include <metafork.h>

void syr2k(int m, int n, double alpha, double beta, double C[n][n], const double A[n][m], const double B[n][m],
           int B0, int B1, int h)
{
    meta_schedule cache(A, B) {
        meta_for (int bi = 0; bi < (n + B0 - 1) / B0; bi++)
            meta_for (int bj = 0; bj < (n + B1 - 1) / B1; bj++)
                for (int p = 0; p < (m + h - 1) / h; p++)
                    meta_for (int ti = 0; ti < B0; ti++)
                        meta_for (int tj = 0; tj < B1; tj++) {
                            int i = bi * B0 + ti, j = bj * B1 + tj;
                            if (i < n && j <= i) {
                                if (p == 0)
                                    C[i][j] *= beta;
                                for (int z = 0; z < h; z++) {
                                    int k = p * h + z;
                                    if (k < m)
                                        C[i][j] += A[j][k] * alpha * B[i][k] + B[j][k] * alpha * A[i][k];
                                }
                            }
                        }
    }
}
