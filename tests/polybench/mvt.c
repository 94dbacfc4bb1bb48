/* x1 += A y1 and x2 += A^T y2, in one region. */
#include <metafork.h>

void mvt(int n, double x1[n], double x2[n], const double y1[n], const double y2[n], const double A[n][n])
{
    const int B0 = meta_tunable(64);
    meta_schedule {
        meta_for (int b = 0; b < (n + B0 - 1) / B0; b++)
            meta_for (int t = 0; t < B0; t++) {
                int i = b * B0 + t;
                if (i < n) {
                    for (int j = 0; j < n; j++)
                        x1[i] += A[i][j] * y1[j];
                    for (int j = 0; j < n; j++)
                        x2[i] += A[j][i] * y2[j];
                }
            }
    }
}
