/* The lower triangle of C = alpha A A^T + beta C. */
#include <metafork.h>

void syrk(int m, int n, double alpha, double beta, double C[n][n], const double A[n][m], int B0, int B1)
{
    meta_schedule {
        meta_for (int bi = 0; bi < (n + B0 - 1) / B0; bi++)
            meta_for (int bj = 0; bj < (n + B1 - 1) / B1; bj++)
                meta_for (int ti = 0; ti < B0; ti++)
                    meta_for (int tj = 0; tj < B1; tj++) {
                        int i = bi * B0 + ti, j = bj * B1 + tj;
                        if (i < n && j <= i) {
                            C[i][j] *= beta;
                            for (int k = 0; k < m; k++)
                                C[i][j] += alpha * A[i][k] * A[j][k];
                        }
                    }
    }
}
