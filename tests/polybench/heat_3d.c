/* Heat in a cube: B from A, then A from B, in every step. */
#include <metafork.h>

void heat_3d(int steps, int n, double A[n][n][n], double B[n][n][n], int B0, int B1, int B2)
{
    for (int t = 0; t < steps; t++) {
        meta_schedule {
            meta_for (int bi = 0; bi < (n + B0 - 1) / B0; bi++)
                meta_for (int bj = 0; bj < (n + B1 - 1) / B1; bj++)
                    meta_for (int bk = 0; bk < (n + B2 - 1) / B2; bk++)
                        meta_for (int ti = 0; ti < B0; ti++)
                            meta_for (int tj = 0; tj < B1; tj++)
                                meta_for (int tk = 0; tk < B2; tk++) {
                                    int i = bi * B0 + ti, j = bj * B1 + tj, k = bk * B2 + tk;
                                    if (i > 0 && i < n - 1 && j > 0 && j < n - 1 && k > 0 && k < n - 1)
                                        B[i][j][k] = 0.125 * (A[i + 1][j][k] - 2.0 * A[i][j][k] + A[i - 1][j][k]) +
                                                     0.125 * (A[i][j + 1][k] - 2.0 * A[i][j][k] + A[i][j - 1][k]) +
                                                     0.125 * (A[i][j][k + 1] - 2.0 * A[i][j][k] + A[i][j][k - 1]) +
                                                     A[i][j][k];
                                }
        }
        meta_schedule {
            meta_for (int bi = 0; bi < (n + B0 - 1) / B0; bi++)
                meta_for (int bj = 0; bj < (n + B1 - 1) / B1; bj++)
                    meta_for (int bk = 0; bk < (n + B2 - 1) / B2; bk++)
                        meta_for (int ti = 0; ti < B0; ti++)
                            meta_for (int tj = 0; tj < B1; tj++)
                                meta_for (int tk = 0; tk < B2; tk++) {
                                    int i = bi * B0 + ti, j = bj * B1 + tj, k = bk * B2 + tk;
                                    if (i > 0 && i < n - 1 && j > 0 && j < n - 1 && k > 0 && k < n - 1)
                                        A[i][j][k] = 0.125 * (B[i + 1][j][k] - 2.0 * B[i][j][k] + B[i - 1][j][k]) +
                                                     0.125 * (B[i][j + 1][k] - 2.0 * B[i][j][k] + B[i][j - 1][k]) +
                                                     0.125 * (B[i][j][k + 1] - 2.0 * B[i][j][k] + B[i][j][k - 1]) +
                                                     B[i][j][k];
                                }
        }
    }
}
