/* mapping.c, mapped by hand. */
#include <metafork.h>

void outer(int m, int n, const float a[restrict m], const float b[restrict n], float c[restrict m][n])
{
    meta_schedule {
        meta_for (int bi = 0; bi < (m + 3) / 4; bi++)
            meta_for (int bj = 0; bj < (n + 7) / 8; bj++)
                meta_for (int ti = 0; ti < 4; ti++)
                    meta_for (int tj = 0; tj < 8; tj++) {
                        int i = bi * 4 + ti, j = bj * 8 + tj;
                        if (i < m && j < n)
                            c[i][j] = a[i] * b[j];
                    }
    }
}

void copy(int n, const int x[restrict n], int y[restrict n])
{
    meta_schedule {
        meta_for (int b = 0; b < (n + 7) / 8; b++)
            meta_for (int t = 0; t < 8; t++) {
                int i = b * 8 + t;
                if (i < n)
                    y[i] = x[i] + 1;
            }
    }
}

void positive(int n, const int x[restrict n], int y[restrict n])
{
    meta_schedule {
        meta_for (int b = 0; b < (n + 7) / 8; b++)
            meta_for (int t = 0; t < 8; t++) {
                int i = b * 8 + t;
                if (i < n && x[i] > 0)
                    y[i] = x[i];
            }
    }
}

int turns(int n, int T, int x[restrict n], int y[restrict n])
{
    int sum = 0;
    for (int t = 0; t < T; t++) {
        meta_schedule {
            meta_for (int b = 0; b < (n + 7) / 8; b++)
                meta_for (int u = 0; u < 8; u++) {
                    int i = b * 8 + u;
                    if (i < n)
                        y[i] = x[i] + t;
                }
        }
        sum += y[t % n];
        meta_schedule {
            meta_for (int b = 0; b < (n + 7) / 8; b++)
                meta_for (int u = 0; u < 8; u++) {
                    int i = b * 8 + u;
                    if (i < n)
                        x[i] = 2 * y[i] + 1;
                }
        }
    }
    return sum;
}
