/* Loops that begin by a remainder. */
enum { SIDE = 20 };

void redblack(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    double (*restrict u)[SIDE] = (double (*restrict)[SIDE])a;
#pragma scop
    for (int colour = 0; colour < 2; colour++)
        for (long i = 1; i < n - 1; i++)
            for (long j = 1 + (i + colour) % 2; j < m - 1; j += 2)
                u[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]) + b[j];
#pragma endscop
}

/* Threes: a column of its own for each row of three. */
void threes(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    double (*restrict u)[SIDE] = (double (*restrict)[SIDE])a;
#pragma scop
    for (long i = 0; i < n; i++)
        for (long j = i % 3; j <= m; j += 3)
            u[i][j] += u[i][j + 1] - u[i + 1][j + 2];
#pragma endscop
}

/* Below 0 a remainder is not the mathematician's. */
void below(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    double (*restrict u)[SIDE] = (double (*restrict)[SIDE])a;
#pragma scop
    for (long i = 0; i < n; i++)
        for (long j = 2 + (i - 3) % 2; j < m; j += 2)
            u[i][j] = u[i + 1][j] + u[i][j + 1];
#pragma endscop
}

/* Where a row begins is known when it runs: no wavefront over rows, which would have few threads. */
void rows(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    double (*restrict u)[SIDE] = (double (*restrict)[SIDE])a;
#pragma scop
    for (int t = 0; t < 3; t++)
        for (long i = 1; i < n - 1; i++)
            for (long j = c[i] & 1; j < m; j += 2)
                u[i][j] = u[i - 1][j] + u[i + 1][j];
#pragma endscop
}
