/* Functions whose regions choose for themselves, beside host code that must see the given numbers. */
#include <metafork.h>
#include <string.h>

/* Extents over a loop of the host. */
void factor(int n, float A[n][n])
{
    const int B0 = meta_tunable(4), B1 = meta_tunable(8 * 4);
    for (int k = 0; k < n - 1; k++) {
        meta_schedule {
            meta_for (int b = 0; b < (n - k - 2 + B0) / B0; b++)
                meta_for (int t = 0; t < B0; t++) {
                    int i = k + 1 + b * B0 + t;
                    if (i < n)
                        A[i][k] /= A[k][k];
                }
        }
        meta_schedule {
            meta_for (int bi = 0; bi < (n - k - 2 + B0) / B0; bi++)
                meta_for (int bj = 0; bj < (n - k - 2 + B1) / B1; bj++)
                    meta_for (int ti = 0; ti < B0; ti++)
                        meta_for (int tj = 0; tj < B1; tj++) {
                            int i = k + 1 + bi * B0 + ti, j = k + 1 + bj * B1 + tj;
                            if (i < n && j < n)
                                A[i][j] -= A[i][k] * A[k][j];
                        }
        }
    }
}

/* An array of the host is sized by B0: B0 is 8 there, whatever the region takes. */
long sized(int n, const int x[n])
{
    const int B0 = meta_tunable(8);
    int kept[B0];
    long sum = 0;
    int y[n];
    meta_schedule {
        meta_for (int b = 0; b < (n + B0 - 1) / B0; b++)
            meta_for (int t = 0; t < B0; t++)
                if (b * B0 + t < n)
                    y[b * B0 + t] = 2 * x[b * B0 + t];
    }
    memset(kept, 0, sizeof kept);
    for (int i = 0; i < n; i++)
        kept[i % B0] += y[i];
    for (int i = 0; i < B0; i++)
        sum += (i + 1) * (long)kept[i];
    return sum * B0;
}

/* The host goes in steps of B0, and the region takes up where it stands. */
void stepped(int n, int x[restrict n])
{
    const int B0 = meta_tunable(5);
    for (int start = 0; start < n; start += B0) {
        int m = start + B0 < n ? start + B0 : n;
        meta_schedule {
            meta_for (int b = 0; b < (n + B0 - 1) / B0; b++)
                meta_for (int t = 0; t < B0; t++)
                    if (b * B0 + t < m)
                        x[b * B0 + t] = 3 * x[b * B0 + t] + start;
        }
    }
}

/* Blocks of two regions exchange what they sum up: both keep 16. */
long exchanged(int n, const int x[n])
{
    const int B0 = meta_tunable(16);
    int blocks = (n + B0 - 1) / B0;
    long partial[blocks], sum = 0;
    meta_schedule {
        meta_for (int b = 0; b < (n + B0 - 1) / B0; b++)
            meta_for (int t = 0; t < B0; t++)
                if (t == 0) {
                    partial[b] = 0;
                    for (int k = 0; k < B0; k++)
                        if (b * B0 + k < n)
                            partial[b] += x[b * B0 + k];
                }
    }
    for (int b = 0; b < blocks; b++)
        sum += (b + 1) * partial[b];
    return sum;
}

/* The division truncates: what 6 does not reach stays as it is, whatever divides n. */
void truncated(int n, int x[restrict n])
{
    const int B0 = meta_tunable(6);
    meta_schedule {
        meta_for (int b = 0; b < n / B0; b++)
            meta_for (int t = 0; t < B0; t++)
                x[b * B0 + t] += 1;
    }
}
