/* Loops that belong to a statement: bounds from memory, or below a condition on data. */
#include <math.h>

enum { SIDE = 20 };
static double half(double x) { return x * 0.5; }

void rows(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
#pragma scop
    for (long i = 0; i < n; i++) {
        double sum = 0;
        for (int p = c[i]; p < c[i + 1]; p++)
            sum += b[p] * b[c[p + 5]];
        a[i] = sum;
    }
#pragma endscop
}

void table(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    double (*restrict grid)[SIDE] = (double (*)[SIDE])a;
#pragma scop
    for (long i = 0; i < n; i++) {
        for (long j = 0; j < m; j++)
            grid[i][j] = b[j];
        for (int p = c[i]; p <= 4; p += 2)
            for (long j = 0; j < m; j++) {
                double x = b[i + p] * grid[i][j];
                grid[i][j] += half(x);
            }
    }
#pragma endscop
}

void masked(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    double (*restrict grid)[SIDE] = (double (*)[SIDE])a;
#pragma scop
    for (long i = 0; i < n; i++)
        if (c[i] > 0)
            for (long j = m - 1; j >= 0; j--)
                grid[i][j] = grid[i][j + 1] + b[i];
        else if (c[i] < -2)
            for (unsigned u = 0; u < 9u; u++)
                if (u % 3 != 1)
                    grid[i][u] -= b[i + 1];
#pragma endscop
}

/* A loop of no rounds leaves `last` as the row before set it. */
void carried(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    double last = 0;
#pragma scop
    for (long i = 0; i < n; i++) {
        for (int p = 0; p < c[i]; p++)
            last = b[i + p];
        a[i] = last;
    }
    for (long i = 0; i < n; i++)
        b[i] = 2 * a[i];
#pragma endscop
}

/* All rows write the same columns. */
void columns(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    double (*restrict grid)[SIDE] = (double (*)[SIDE])a;
#pragma scop
    for (long k = 0; k < m; k++)
        for (long i = 0; i < n; i++)
            for (int p = c[i] & 7; p < 12; p++)
                grid[k][p] += b[i] * p;
#pragma endscop
}

/* What a row does decides how long the next one is. */
void lengths(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
#pragma scop
    for (long i = 0; i < n; i++) {
        for (int p = 0; p < c[i]; p++)
            a[i] += b[p];
        c[i + 1] = i & 3;
    }
    for (long i = 0; i < n; i++)
        b[i] = 2 * a[i];
#pragma endscop
}
