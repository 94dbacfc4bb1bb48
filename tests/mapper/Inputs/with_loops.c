/* Loops whose regions may be slower on a processor than they are themselves, and loops whose regions are not. Each function may be
   called again and again on the same memory. */

/* Rows of the source become columns: the host walks over k. */
void factor(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    for (long i = 0; i < n; i++) {
        for (long j = 0; j < i; j++) {
            for (long k = 0; k < j; k++)
                a[i * n + j] -= a[i * n + k] * a[j * n + k] * 0.125;
            a[i * n + j] *= 0.5;
        }
        a[i * n + i] += 1;
    }
}

/* One walk over the rows becomes two regions; arrays may overlap. */
void twice(long n, long m, double *a, double *b, int *c)
{
    for (long i = 1; i < n; i++) {
        a[i] = a[i] * 0.5 + 1;
        b[i] = b[i] + a[i - 1] * 0.25;
    }
}

/* Steps of time. */
void steps(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    for (long t = 0; t < 7; t++) {
        for (long i = 1; i < n - 1; i++)
            b[i] = (a[i - 1] + a[i] + a[i + 1]) * 0.25;
        for (long i = 1; i < n - 1; i++)
            a[i] = b[i] * 0.75;
    }
}

/* The inner loop is parted from what follows it. */
void upper(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    for (long i = 0; i < n; i++)
        for (long j = 0; j < m; j++) {
            for (long k = i + 1; k < n; k++)
                a[i * m + j] += b[k * n + i] * a[k * m + j] * 0.125;
            a[i * m + j] *= 0.5;
        }
}

/* The source's loops in their order: nothing to measure. */
void scale(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    for (long i = 0; i < n; i++)
        for (long j = 0; j < m; j++)
            a[i * m + j] = a[i * m + j] * 0.5 + b[i * m + j];
}

/* A walk over columns that becomes one over rows. */
void columns(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    for (long j = 0; j < m; j++)
        for (long i = 0; i < n; i++)
            a[i * m + j] = a[i * m + j] * 0.25 + b[i * m + j];
}
