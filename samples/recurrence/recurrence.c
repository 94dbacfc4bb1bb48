/* Recurrences: the loops of "Multi-dimensional loop pipelining" (Vyukova and Samborskiy, 2014), for nb
   problems at once. In each loop nest an element waits for elements before it, so that a thread that
   runs the nest as it stands waits for each result; `treefork -d cycles` says what it could take per
   iteration with copies of an outer loop jammed into the innermost one. */
#include <math.h>
#include <metafork.h>

/* E1: every element from the one before. */
void running(int n, int nb, double a[n][nb])
{
    const int B = meta_tunable(64);
    meta_schedule {
        meta_for (int g = 0; g < (nb + B - 1) / B; g++)
            meta_for (int t = 0; t < B; t++) {
                int b = g * B + t;
                if (b < nb)
                    for (int j = 1; j < n; j++)
                        a[j][b] = sqrt(a[j - 1][b]);
            }
    }
}

/* E2: the same in each row. */
void rows(int n, int nb, double a[n][n][nb])
{
    const int B = meta_tunable(64);
    meta_schedule {
        meta_for (int g = 0; g < (nb + B - 1) / B; g++)
            meta_for (int t = 0; t < B; t++) {
                int b = g * B + t;
                if (b < nb)
                    for (int i = 1; i < n; i++)
                        for (int j = 1; j < n; j++)
                            a[i][j][b] = sqrt(a[i][j - 1][b]);
            }
    }
}

/* E3: E2 with its loops exchanged. */
void columns(int n, int nb, double a[n][n][nb])
{
    const int B = meta_tunable(64);
    meta_schedule {
        meta_for (int g = 0; g < (nb + B - 1) / B; g++)
            meta_for (int t = 0; t < B; t++) {
                int b = g * B + t;
                if (b < nb)
                    for (int j = 1; j < n; j++)
                        for (int i = 1; i < n; i++)
                            a[i][j][b] = sqrt(a[i][j - 1][b]);
            }
    }
}

/* E4: from the left and from above. */
void both(int n, int nb, double a[n][n][nb])
{
    const int B = meta_tunable(64);
    meta_schedule {
        meta_for (int g = 0; g < (nb + B - 1) / B; g++)
            meta_for (int t = 0; t < B; t++) {
                int b = g * B + t;
                if (b < nb)
                    for (int i = 1; i < n; i++)
                        for (int j = 1; j < n; j++)
                            a[i][j][b] = sqrt(a[i][j - 1][b] * a[i - 1][j][b]);
            }
    }
}

/* E5: from the left and from above to the right. */
void skewed(int n, int nb, double a[n][n][nb])
{
    const int B = meta_tunable(64);
    meta_schedule {
        meta_for (int g = 0; g < (nb + B - 1) / B; g++)
            meta_for (int t = 0; t < B; t++) {
                int b = g * B + t;
                if (b < nb)
                    for (int i = 1; i < n; i++)
                        for (int j = 1; j < n - 1; j++)
                            a[i][j][b] = sqrt(a[i][j - 1][b] * a[i - 1][j + 1][b]);
            }
    }
}

/* E6: two planes and two rows before, to the right. */
void space(int n, int nb, double a[n][n][n][nb])
{
    const int B = meta_tunable(64);
    meta_schedule {
        meta_for (int g = 0; g < (nb + B - 1) / B; g++)
            meta_for (int t = 0; t < B; t++) {
                int b = g * B + t;
                if (b < nb)
                    for (int k = 2; k < n; k++)
                        for (int i = 2; i < n; i++)
                            for (int j = 0; j < n - 1; j++)
                                a[k][i][j][b] = sqrt(a[k][i - 2][j + 1][b] * a[k - 2][i][j + 1][b]);
            }
    }
}

/* E7: from the plane before, a row below. */
void planes(int n, int nb, double a[n][n][n][nb])
{
    const int B = meta_tunable(64);
    meta_schedule {
        meta_for (int g = 0; g < (nb + B - 1) / B; g++)
            meta_for (int t = 0; t < B; t++) {
                int b = g * B + t;
                if (b < nb)
                    for (int k = 1; k < n; k++)
                        for (int i = 0; i < n - 1; i++)
                            for (int j = 0; j < n; j++)
                                a[k][i][j][b] = sqrt(a[k - 1][i + 1][j][b]);
            }
    }
}
