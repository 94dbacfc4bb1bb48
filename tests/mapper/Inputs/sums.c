/* Loops that end by a sum or a multiple of their iterator. */
void fir(long n, long m, double *a, double *b, int *c)
{
#pragma scop
    for (int i = 0; i + m <= n; i++) {
        double s = 0;
        for (int k = 0; k < m; k++)
            s += a[i + k] * c[k];
        b[i] = s;
    }
#pragma endscop
}

void thirds(long n, long m, double *a, double *b, int *c)
{
#pragma scop
    for (int i = 0; 3 * i < n; i++)
        b[3 * i] = a[i];
    for (long i = 1; n >= 2 * i + 2; i++)
        a[2 * i] = a[2 * i + 1] + b[i];
    for (long i = 0; m > 4 * i; ++i)
        c[i] = 2;
#pragma endscop
}

/* A half of a square; the loops of the threads have sums, too. */
void half(long n, long m, double *a, double *b, int *c)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j + i < n; j++) {
            double s = 0;
            for (int k = 0; i + j + k < n; k++)
                s += a[i * n + k] * b[k];
            a[i * n + j] += s;
        }
#pragma endscop
}

void rows(long n, long m, double *a, double *b, int *c)
{
#pragma scop
    for (long i = 0; i < n; i++)
        for (long j = 0; n - i > j; j++)
            c[i * n + j] = (int)(a[i] + b[j]);
#pragma endscop
}

/* Down, and one after the other. */
void down(long n, long m, double *a, double *b, int *c)
{
#pragma scop
    for (long i = n; i - m >= 0; i--)
        a[i] = b[i];
    for (int t = 0; t + 1 + m < n; t++)
        for (int i = 1; i + 1 < n; i++)
            a[i] += a[i - 1] * b[i + t];
#pragma endscop
}

/* The last values are read behind. */
void last(long n, long m, double *a, double *b, int *c)
{
    long i, j;
#pragma scop
    for (i = 0; i + m < n; i++)
        a[i] = b[i];
    for (j = 0; 3 * j <= n; j++)
        b[j] = a[j];
#pragma endscop
    c[0] = (int)i;
    c[1] = (int)j;
}

/* Not known: a square, a product. */
void unknown(long n, long m, double *a, double *b, int *c)
{
#pragma scop
    for (long i = 0; i < n; i++)
        c[i] = 1;
    for (long i = 0; i * i < n; i++)
        c[i] = 2;
    for (long i = -2; 3 * i < n; i++)
        c[i + 2] += 2;
#pragma endscop
}
