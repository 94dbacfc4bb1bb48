/* Conditions on remainders. */
enum { SIDE = 20 };

void redblack(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    double (*restrict u)[SIDE] = (double (*restrict)[SIDE])a;
#pragma scop
    for (int t = 0; t < 2; t++)
        for (int colour = 0; colour < 2; colour++)
            for (long i = 1; i < n - 1; i++)
                for (long j = 1; j < m - 1; j++)
                    if ((i + j + t) % 2 == colour)
                        u[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
#pragma endscop
}

/* By a mask, the other half in the `else`, which waits for the first. */
void masked(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    double (*restrict u)[SIDE] = (double (*restrict)[SIDE])a;
#pragma scop
    for (long i = 1; i < n; i++)
        for (long j = 1; j < m; j++)
            if ((i - j) & 1)
                u[i][j] += u[i - 1][j] - u[i][j - 1];
            else
                b[j] = u[i][j];
    for (long i = 1; i < n; i++)
        for (long j = 1; j < m; j++)
            if (!((i - j) & 1) && i != 3)
                u[i][j] += u[i - 1][j] + u[i][j - 1];
#pragma endscop
}

/* Below 0 a remainder is below 0, and only every other one equals 1. */
void below(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    double (*restrict u)[SIDE] = (double (*restrict)[SIDE])a;
#pragma scop
    for (long i = 0; i < n; i++)
        for (long j = 0; j < m; j++)
            if ((i - j) % 3 == 1)
                u[i][j] = u[i + 1][j] + u[i][j + 1];
    for (long i = 0; i < n; i++)
        if ((i - 5) % 2)
            b[i] = b[i + 1] + b[i + 3];
        else if ((i - 7) % 4 < -1)
            b[i] = 7;
#pragma endscop
}

/* Three colours of a skewed grid. */
void colours(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    double (*restrict u)[SIDE] = (double (*restrict)[SIDE])a;
#pragma scop
    for (int colour = 0; colour < 3; colour++)
        for (long i = 0; i < n; i++)
            for (long j = 0; j < m; j++)
                if ((i + 2 * j) % 3 == colour)
                    u[i][j] = u[i][j + 1] - u[i + 1][j];
#pragma endscop
}

/* Points of one colour follow each other at a distance of two. */
void chain(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
#pragma scop
    for (long i = 2; i < n; i++)
        if (i % 2 == 0)
            b[i] += b[i - 2];
#pragma endscop
}

/* A divisor above 8, and a product, are conditions on data. */
void data(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
#pragma scop
    for (long i = 0; i < n; i++) {
        if (i % 9 == 1)
            a[i] = b[i];
        if (i * i % 2 == 1)
            a[i] += 3 * b[i + 1];
    }
#pragma endscop
}

/* A rest of a variable is a condition on data: how often the divisor goes into the number is not known. */
void divisors(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
#pragma scop
    for (long i = 1; i < n; i++)
        for (long j = 1; j <= i; j++)
            if (i % j == 0)
                a[i] += j * b[i];
#pragma endscop
}
