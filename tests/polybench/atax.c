/* y = A^T (A x), the inner product in a local array. */
#include <metafork.h>

void atax(int m, int n, const double A[m][n], const double x[n], double y[n])
{
    const int B0 = meta_tunable(64);
    double tmp[m];
    meta_schedule {
        meta_for (int b = 0; b < (m + B0 - 1) / B0; b++)
            meta_for (int t = 0; t < B0; t++) {
                int i = b * B0 + t;
                if (i < m) {
                    tmp[i] = 0;
                    for (int j = 0; j < n; j++)
                        tmp[i] += A[i][j] * x[j];
                }
            }
    }
    meta_schedule {
        meta_for (int b = 0; b < (n + B0 - 1) / B0; b++)
            meta_for (int t = 0; t < B0; t++) {
                int j = b * B0 + t;
                if (j < n) {
                    y[j] = 0;
                    for (int i = 0; i < m; i++)
                        y[j] += A[i][j] * tmp[i];
                }
            }
    }
}
