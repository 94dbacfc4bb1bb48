/* B = alpha A^T B, A lower triangular with a diagonal of ones, in place: a thread walks down a column of B. */
#include <metafork.h>

void trmm(int m, int n, double alpha, const double A[m][m], double B[m][n], int B0)
{
    meta_schedule {
        meta_for (int b = 0; b < (n + B0 - 1) / B0; b++)
            meta_for (int t = 0; t < B0; t++) {
                int j = b * B0 + t;
                if (j < n)
                    for (int i = 0; i < m; i++) {
                        for (int k = i + 1; k < m; k++)
                            B[i][j] += A[k][i] * B[k][j];
                        B[i][j] *= alpha;
                    }
            }
    }
}
