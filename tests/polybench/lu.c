/* A = L U in place, L with a diagonal of ones: a column is scaled, then what stands right of it and below is updated. */
#include <metafork.h>

void lu(int n, double A[n][n])
{
    const int B0 = meta_tunable(4), B1 = meta_tunable(64);
    for (int k = 0; k < n - 1; k++) {
        meta_schedule {
            meta_for (int b = 0; b < (n - k - 1 + B0 - 1) / B0; b++)
                meta_for (int t = 0; t < B0; t++) {
                    int i = k + 1 + b * B0 + t;
                    if (i < n)
                        A[i][k] /= A[k][k];
                }
        }
        meta_schedule {
            meta_for (int bi = 0; bi < (n - k - 1 + B0 - 1) / B0; bi++)
                meta_for (int bj = 0; bj < (n - k - 1 + B1 - 1) / B1; bj++)
                    meta_for (int ti = 0; ti < B0; ti++)
                        meta_for (int tj = 0; tj < B1; tj++) {
                            int i = k + 1 + bi * B0 + ti, j = k + 1 + bj * B1 + tj;
                            if (i < n && j < n)
                                A[i][j] -= A[i][k] * A[k][j];
                        }
        }
    }
}
