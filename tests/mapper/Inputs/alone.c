/* Loops that one thread would have to run. */
enum { SIDE = 20 };

/* They walk whole arrays. */
void change(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    double (*restrict u)[SIDE] = (double (*restrict)[SIDE])a;
    double most = 0;
#pragma scop
    for (long i = 0; i < n; i++)
        for (long j = 0; j < m; j++)
            u[i][j] = u[i][j] * 0.5 + b[j];
    for (long i = 0; i < n; i++)
        for (long j = 0; j < m; j++)
            most = most < u[i][j] ? u[i][j] : most;
    for (long i = 0; i < n; i++)
        b[i] = b[i] / (most + 2);
    for (long i = 1; i < n; i++)
        b[i] += b[i - 1];
#pragma endscop
    a[0] = most;
}

/* It walks a column, and eight elements. */
void column(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    double (*restrict u)[SIDE] = (double (*restrict)[SIDE])a;
    double sum = 0;
#pragma scop
    for (long i = 0; i < n; i++)
        for (long j = 0; j < m; j++)
            u[i][j] += b[i];
    for (long i = 0; i < n; i++)
        sum += u[i][0];
    for (int k = 1; k < 8; k++)
        c[k] += c[k - 1];
#pragma endscop
    b[0] = sum;
}

/* Sixty-five rounds, by number. */
void literal(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
#pragma scop
    for (long i = 0; i < n; i++)
        a[i] *= 2;
    for (int k = 130; k >= 2; k -= 2)
        b[k] += b[k + 2];
#pragma endscop
}
