#include <metafork.h>
#include <assert.h>

/* c = a b, rows by blocks. */
void product(int n, float a[restrict n][n], float b[restrict n][n], float c[restrict n][n])
{
    const int B0 = meta_tunable(4), B1 = meta_tunable(16);
    meta_schedule {
        meta_for (int bi = 0; bi < (n + B0 - 1) / B0; bi++)
            meta_for (int bj = 0; bj < (n + B1 - 1) / B1; bj++)
                meta_for (int ti = 0; ti < B0; ti++)
                    meta_for (int tj = 0; tj < B1; tj++) {
                        int i = bi * B0 + ti, j = bj * B1 + tj;
                        if (i < n && j < n) {
                            float sum = 0;
                            for (int k = 0; k < n; k++)
                                sum += a[i][k] * b[k][j];
                            c[i][j] = sum;
                        }
                    }
    }
}

/* The grid goes along the columns of b, and each block writes all of its rows. */
void columns(int n, float a[restrict n][n], float b[restrict n][n])
{
    const int B = meta_tunable(8);
    meta_schedule {
        meta_for (int bj = 0; bj < (n + B - 1) / B; bj++)
            meta_for (int tj = 0; tj < B; tj++) {
                int j = bj * B + tj;
                if (j < n)
                    for (int i = 0; i < n; i++)
                        b[i][j] = 2 * a[i][j];
            }
    }
}

/* Cells of one colour from those of the other, in place. */
void colours(int n, int colour, float a[n][n])
{
    const int B = meta_tunable(4);
    meta_schedule {
        meta_for (int bi = 0; bi < (n - 2 + B - 1) / B; bi++)
            meta_for (int ti = 0; ti < B; ti++) {
                int i = 1 + bi * B + ti;
                if (i < n - 1)
                    for (int j = 1; j < n - 1; j++)
                        if ((i + j) % 2 == colour)
                            a[i][j] = 0.25f * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
            }
    }
}

/* Both halves of a symmetric matrix. */
void mirror(int n, float a[restrict n][n], float b[restrict n][n])
{
    const int B = meta_tunable(8);
    meta_schedule {
        meta_for (int bi = 0; bi < (n + B - 1) / B; bi++)
            meta_for (int ti = 0; ti < B; ti++) {
                int i = bi * B + ti;
                if (i < n)
                    for (int j = 0; j <= i; j++) {
                        b[i][j] = a[i][j];
                        if (j < i)
                            b[j][i] = a[i][j];
                    }
            }
    }
}

void map(int n, float a[n], float b[n])
{
    const int B = meta_tunable(8);
    meta_schedule {
        meta_for (int bi = 0; bi < (n + B - 1) / B; bi++)
            meta_for (int ti = 0; ti < B; ti++) {
                int i = bi * B + ti;
                if (i < n)
                    b[i] = a[i] + 1;
            }
    }
}
