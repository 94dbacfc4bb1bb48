/* Jacobi iteration on a plane: B from A, then A from B, in every step; only inner points are numbered. */
#include <metafork.h>

void jacobi_2d(int steps, int n, double A[n][n], double B[n][n])
{
    const int B0 = meta_tunable(4), B1 = meta_tunable(64);
    for (int t = 0; t < steps; t++) {
        meta_schedule cache(A) {
            meta_for (int bi = 0; bi < (n - 2 + B0 - 1) / B0; bi++)
                meta_for (int bj = 0; bj < (n - 2 + B1 - 1) / B1; bj++)
                    meta_for (int ti = 0; ti < B0; ti++)
                        meta_for (int tj = 0; tj < B1; tj++) {
                            int i = bi * B0 + ti + 1, j = bj * B1 + tj + 1;
                            if (i < n - 1 && j < n - 1)
                                B[i][j] = 0.2 * (A[i][j] + A[i][j - 1] + A[i][j + 1] + A[i + 1][j] + A[i - 1][j]);
                        }
        }
        meta_schedule cache(B) {
            meta_for (int bi = 0; bi < (n - 2 + B0 - 1) / B0; bi++)
                meta_for (int bj = 0; bj < (n - 2 + B1 - 1) / B1; bj++)
                    meta_for (int ti = 0; ti < B0; ti++)
                        meta_for (int tj = 0; tj < B1; tj++) {
                            int i = bi * B0 + ti + 1, j = bj * B1 + tj + 1;
                            if (i < n - 1 && j < n - 1)
                                A[i][j] = 0.2 * (B[i][j] + B[i][j - 1] + B[i][j + 1] + B[i + 1][j] + B[i - 1][j]);
                        }
        }
    }
}
