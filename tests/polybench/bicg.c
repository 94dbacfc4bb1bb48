/* s = A^T r and q = A p. */
#include <metafork.h>

void bicg(int m, int n, const double A[n][m], double s[m], double q[n], const double p[m], const double r[n])
{
    const int B0 = meta_tunable(64);
    meta_schedule {
        meta_for (int b = 0; b < (m + B0 - 1) / B0; b++)
            meta_for (int t = 0; t < B0; t++) {
                int j = b * B0 + t;
                if (j < m) {
                    s[j] = 0;
                    for (int i = 0; i < n; i++)
                        s[j] += r[i] * A[i][j];
                }
            }
    }
    meta_schedule {
        meta_for (int b = 0; b < (n + B0 - 1) / B0; b++)
            meta_for (int t = 0; t < B0; t++) {
                int i = b * B0 + t;
                if (i < n) {
                    q[i] = 0;
                    for (int j = 0; j < m; j++)
                        q[i] += A[i][j] * p[j];
                }
            }
    }
}
