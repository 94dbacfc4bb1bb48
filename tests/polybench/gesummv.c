/* y = alpha A x + beta B x. */
#include <metafork.h>

void gesummv(int n, double alpha, double beta, const double A[n][n], const double B[n][n], const double x[n],
             double y[n])
{
    const int B0 = meta_tunable(64);
    meta_schedule {
        meta_for (int b = 0; b < (n + B0 - 1) / B0; b++)
            meta_for (int t = 0; t < B0; t++) {
                int i = b * B0 + t;
                if (i < n) {
                    double first = 0, second = 0;
                    for (int j = 0; j < n; j++) {
                        first += A[i][j] * x[j];
                        second += B[i][j] * x[j];
                    }
                    y[i] = alpha * first + beta * second;
                }
            }
    }
}
