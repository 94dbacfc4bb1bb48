/* Flat arrays whose rows are as long as a sum says. */
#define AT(i, j) ((j) * (n + 2) + (i))

void rows(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
#pragma scop
    for (long i = 0; i < n; i++)
        for (long j = 0; j < m; j++)
            a[i * (m + 1) + j] = b[i * (m + 1) + j + 1] + c[j];
#pragma endscop
}

void halo(long n, long m, double *a, double *b, int *c)
{
#pragma scop
    for (int t = 0; t < 3; t++) {
        for (long i = 1; i <= n; i++)
            for (long j = 1; j <= n; j++)
                b[AT(i, j)] = a[AT(i - 1, j)] + a[AT(i + 1, j)] - a[AT(i, j - 1)];
        for (long i = 1; i <= n; i++)
            for (long j = 1; j <= n; j++)
                a[i * (n + 2) + j] = b[i * (n + 2) + j] * 0.5;
    }
#pragma endscop
}

/* The column may be the next row's. */
void beyond(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
#pragma scop
    for (long i = 0; i < n; i++)
        for (long j = 0; j <= m + 1; j++)
            a[i * (m + 1) + j] = b[j] + i;
#pragma endscop
}

void redblack(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
#pragma scop
    for (int colour = 0; colour < 2; colour++)
        for (long i = 1; i <= n; i++)
            for (long j = 1 + (i + colour) % 2; j <= n; j += 2) {
                long p = i * (n + 2) + j;
                a[p] = 0.25 * (a[p - 1] + a[p + 1] + a[p - n - 2] + a[p + n + 2]) - b[p];
            }
#pragma endscop
}
