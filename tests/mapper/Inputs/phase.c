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

/* Taken from 3, -1 % 2 begins at 4, not at 2: the rows are no loop's phase. */
void under(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    double (*restrict u)[SIDE] = (double (*restrict)[SIDE])a;
#pragma scop
    for (long i = 0; i < n; i += 2) {
        for (long j = 3 - (i - 1) % 2; j < m; j += 2)
            b[j] = u[i][j];
        for (long j = 2; j < m; j += 2)
            u[i][j + 1] += b[j];
    }
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

/* Remainders by a mask, and what is left of one. */
void odd(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    double (*restrict u)[20] = (double (*restrict)[20])a;
    int i, j, s, k;
#pragma scop
    for (s = 0; s < 2; s++) {
        for (i = 1; i < n - 1; i++)
            for (j = 1 + (i & 1); j < m - 1; j += 2)
                u[i][j] = u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1];
        for (i = 1; i < n - 1; i++)
            for (j = 2 - i % 2; j < m - 1; j += 2)
                u[i][j] = u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1];
        for (k = 0; k < 2; k++)
            for (i = 1; i < n - 1; i++)
                for (j = 1 + ((i + k) & 1); j < m - 1; j += 2)
                    u[i][j] = u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1];
        for (i = 0; i < n; i++)
            for (j = 5 - (i + 1) % 3; j < m - 1; j += 3)
                u[i][j] += i;
    }
#pragma endscop
}

/* Halves: 2 * (n / 2) is at most n. */
void mirror(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    int x, y, h = n < 0 ? 0 : n;
    for (x = 0; x < n / 2; x++) {
        double t = a[x];
        a[x] = a[n - 1 - x];
        a[n - 1 - x] = t;
    }
    for (y = 0; y < h / 2; y++)
        for (x = 0; x < m; x++) {
            double t = b[y * m + x];
            b[y * m + x] = b[(h - 1 - y) * m + x];
            b[(h - 1 - y) * m + x] = t;
        }
    for (int i = 0; i < m / 3; i++) {
        c[i] += i;
        c[m - 1 - i] = c[i] + c[m / 3 + i];
    }
}
