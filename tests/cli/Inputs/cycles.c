/* Serial loops of threads for cycles.test. */
#include <metafork.h>

void sums(int n, int nb, const double a[n][nb], double r[nb])
{
    meta_schedule {
        meta_for (int g = 0; g < nb; g++)
            meta_for (int t = 0; t < 1; t++) {
                double s = 0;
                for (int i = 0; i < n; i++)
                    s += a[i][g + t];
                r[g + t] = s;
            }
    }
}

void halves(int n, int nb, double a[n][n][nb])
{
    meta_schedule {
        meta_for (int g = 0; g < 1; g++)
            meta_for (int t = 0; t < nb; t++)
                for (int i = 0; i < n; i++)
                    for (int j = 0; j < n; j++)
                        a[i][j][t] = a[i / 2][j][t];
    }
}

void uneven(int n, int nb, double a[n][n][nb])
{
    meta_schedule {
        meta_for (int g = 0; g < 1; g++)
            meta_for (int t = 0; t < nb; t++)
                for (int i = 1; i < n; i++) {
                    a[i][0][t] = 0;
                    for (int j = 1; j < n; j++)
                        a[i][j][t] = a[i][j - 1][t] + a[i - 1][j][t];
                }
    }
}

void pairs(int n, int nb, double a[n][n][nb], double b[n][n][nb])
{
    meta_schedule {
        meta_for (int g = 0; g < 1; g++)
            meta_for (int t = 0; t < nb; t++)
                for (int i = 1; i < n; i++)
                    for (int j = 1; j < n; j++) {
                        double x = a[i][j - 1][t];
                        if (x > 0)
                            b[i][j][t] = x;
                        a[i][j][t] = x + b[i - 1][j][t];
                    }
    }
}

void flat(int n, double a[n])
{
    meta_schedule {
        meta_for (int g = 0; g < 1; g++)
            meta_for (int t = 0; t < n; t++)
                a[t] = 2 * a[t];
    }
}

/* Which circuit is longer depends on the machine: one goes through memory, the other is arithmetic. */
void rivals(int n, int nb, double a[n][nb])
{
    meta_schedule {
        meta_for (int g = 0; g < 1; g++)
            meta_for (int t = 0; t < nb; t++) {
                double s = 1;
                for (int j = 2; j < n; j++) {
                    s = 1 / (s + 1);
                    a[j][t] = s - a[j - 2][t];
                }
            }
    }
}
