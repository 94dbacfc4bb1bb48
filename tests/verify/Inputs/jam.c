/* Recurrences of two loops of a thread, for jam.test. */
#include <metafork.h>

void both(int n, int m, int nb, double a[n][m][nb])
{
    const int B = meta_tunable(8);
    meta_schedule {
        meta_for (int g = 0; g < (nb + B - 1) / B; g++)
            meta_for (int t = 0; t < B; t++) {
                int b = g * B + t;
                if (b < nb)
                    for (int i = 1; i < n; i++)
                        for (int j = 1; j < m; j++)
                            a[i][j][b] = 0.5 * a[i][j - 1][b] + 0.25 * a[i - 1][j][b];
            }
    }
}

void skewed(int n, int m, int nb, float a[n][m][nb])
{
    const int B = meta_tunable(8);
    meta_schedule {
        meta_for (int g = 0; g < (nb + B - 1) / B; g++)
            meta_for (int t = 0; t < B; t++) {
                int b = g * B + t;
                if (b < nb)
                    for (int i = 1; i < n; i++)
                        for (int j = 1; j < m - 1; j++)
                            a[i][j][b] = 0.5f * a[i][j - 1][b] + 0.25f * a[i - 1][j + 1][b];
            }
    }
}
