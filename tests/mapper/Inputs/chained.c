/* Assignments in a row; each value is held with the type of what is set before. */
void both(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
#pragma scop
    for (long i = 0; i < n; i++)
        a[i] = c[i] = b[i] * 3.7;
#pragma endscop
}
void sym(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
#pragma scop
    for (long i = 0; i < n; i++)
        for (long j = 0; j <= i; j++)
            a[i * n + j] = a[j * n + i] = b[i] * b[j];
#pragma endscop
}
void sums(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    double s, t, all;
    int u;
#pragma scop
    all = s = 2.5;
    for (long i = 0; i < n; i++) {
        s = t = u = i * 1.75;
        for (long j = 0; j < m; j++)
            t += s = b[j];
        b[100 + i] = s + t + u + all;
    }
    for (long i = 0; i < n; i++)
        if (b[i] > 0)
            a[i] += b[i] = c[i] = a[i] * 2 + 0.5;
#pragma endscop
}
/* The order of the writes where they meet. */
void meet(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
#pragma scop
    for (long i = 0; i < n; i++)
        for (long j = 0; j < m; j++)
            a[2 * i] = a[i + j] = b[i] + j;
    for (long i = 0; i < n; i++)
        c[i + 1] = c[i] = i;
#pragma endscop
}
void over(long n, long m, double *a, double *b, int *restrict c)
{
#pragma scop
    for (long i = 0; i < n; i++)
        a[i] = b[i] = b[i] / 3 + a[i];
#pragma endscop
}
