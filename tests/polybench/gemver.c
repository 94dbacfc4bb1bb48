/* A += u1 v1^T + u2 v2^T, x += beta A^T y + z, w += alpha A x. */
#include <metafork.h>

void gemver(int n, double alpha, double beta, double A[n][n], const double u1[n], const double v1[n],
            const double u2[n], const double v2[n], double w[n], double x[n], const double y[n],
            const double z[n])
{
    const int B0 = meta_tunable(4), B1 = meta_tunable(64);
    meta_schedule {
        meta_for (int bi = 0; bi < (n + B0 - 1) / B0; bi++)
            meta_for (int bj = 0; bj < (n + B1 - 1) / B1; bj++)
                meta_for (int ti = 0; ti < B0; ti++)
                    meta_for (int tj = 0; tj < B1; tj++) {
                        int i = bi * B0 + ti, j = bj * B1 + tj;
                        if (i < n && j < n)
                            A[i][j] = A[i][j] + u1[i] * v1[j] + u2[i] * v2[j];
                    }
    }
    meta_schedule {
        meta_for (int b = 0; b < (n + B1 - 1) / B1; b++)
            meta_for (int t = 0; t < B1; t++) {
                int j = b * B1 + t;
                if (j < n) {
                    for (int i = 0; i < n; i++)
                        x[j] += beta * A[i][j] * y[i];
                    x[j] += z[j];
                }
            }
    }
    meta_schedule {
        meta_for (int b = 0; b < (n + B1 - 1) / B1; b++)
            meta_for (int t = 0; t < B1; t++) {
                int i = b * B1 + t;
                if (i < n)
                    for (int j = 0; j < n; j++)
                        w[i] += alpha * A[i][j] * x[j];
            }
    }
}
