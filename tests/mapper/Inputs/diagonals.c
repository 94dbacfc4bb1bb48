/* Nests of which every loop carries a dependence: each value of a sum of iterators is a launch. */

/* The box holds what is a diagonal: first and last are computed. */
void common(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    if (n > 1 && m > 1) {
#pragma scop
        for (long i = 1; i < n; i++)
            for (long j = 1; j < m; j++)
                if (c[i] == c[j % 7])
                    a[i * m + j] = a[(i - 1) * m + j - 1] + 1;
                else
                    a[i * m + j] = a[(i - 1) * m + j] > a[i * m + j - 1] ? a[(i - 1) * m + j]
                                                                         : a[i * m + j - 1];
#pragma endscop
    }
}

/* One bound of the triangle moves with the sum, so that nothing is computed. */
void triangle(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
#pragma scop
    for (long i = n - 2; i >= 0; i--)
        for (long j = i + 1; j < n; j++)
            a[i * n + j] = a[i * n + j] + a[i * n + j - 1] * 0.5 + a[(i + 1) * n + j] * 0.25;
#pragma endscop
}

/* Factors above 1, rounds of the host inside the sum. */
void relax(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
#pragma scop
    for (int t = 0; t < 6; t++)
        for (long i = 1; i < n - 1; i++)
            for (long j = 1; j < m - 1; j++)
                a[i * m + j] = (a[(i - 1) * m + j + 1] + a[(i - 1) * m + j] + a[i * m + j - 1] + a[i * m + j] +
                                a[i * m + j + 1] + a[(i + 1) * m + j] + a[(i + 1) * m + j - 1]) / 7 + t;
#pragma endscop
}

/* An axis that begins below 0 keeps its box, as what bounds a grid must not be below 0. */
void below(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
#pragma scop
    for (int t = -3; t < 3; t++)
        for (long i = -2; i < n - 3; i++)
            a[i + 3] = (a[i + 2] + a[i + 3] + a[i + 4]) / 7 + t;
#pragma endscop
}

/* Below a loop of the host, with names of its own in the way. */
void rounds(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    long i_first, w;
    i_first = m - 1;
    w = 2;
#pragma scop
    for (int t = 0; t < 3; t++) {
        for (long i = 1; i < n; i++)
            for (long j = i_first; j >= w - 1; j--)
                a[i * m + j] += a[(i - 1) * m + j] * 0.5 - (j < i_first ? a[i * m + j + 1] : 0) * 0.25;
        for (long i = 0; i < n; i++)
            b[i] = a[i * m] + t;
        for (long i = 0; i < n; i++)
            a[i * m] = b[n - 1 - i];
    }
#pragma endscop
}
