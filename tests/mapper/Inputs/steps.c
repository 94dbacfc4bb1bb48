/* Loops in steps above 1 as axes. */

/* Red and black points: two regions. */
void colours(long n, long m, double *a, double *b, int *c)
{
#pragma scop
    for (long i = 1; i < n - 1; i += 2)
        a[i] = a[i - 1] + a[i + 1];
    for (long i = 2; i < n - 1; i += 2)
        a[i] = a[i - 1] + a[i + 1];
#pragma endscop
}

/* The same places: one region; other starts or steps are others. */
void joined(long n, long m, double *a, double *b, int *c)
{
#pragma scop
    for (long i = 0; i < n; i += 3)
        for (long j = 1; j < m; j += 2)
            a[i * m + j] = c[i] + j;
    for (long i = 0; i < n; i += 3)
        for (long j = 1; j < m; j += 2)
            a[i * m + j] *= 2;
    for (long i = 1; i < n; i += 3)
        for (long j = 1; j < m; j += 2)
            a[i * m + j] = c[j];
    for (long i = 0; i < n; i += 3)
        for (long j = 1; j < m; j++)
            a[i * m + j] += 7;
#pragma endscop
}

/* From where a loop of the host stands; from where an axis stands, and down: those stay loops of threads. */
void starts(long n, long m, double *a, double *b, int *c)
{
#pragma scop
    for (long t = 0; t < n; t++)
        for (long i = t + 1; i < m; i += 4)
            b[i] = b[i] * 0.5 + b[t];
    for (long i = 0; i < n; i += 2)
        for (long j = i; j < m; j += 3)
            a[i * m + j] += c[j];
    for (long i = n - 1; i >= 0; i -= 2)
        b[i] += c[i];
#pragma endscop
}

void widths(long n, long m, double *a, double *b, int *c)
{
#pragma scop
    for (unsigned i = 0; i < 40; i += 16)
        a[i] = c[i];
    for (int i = 5; i <= 9; i += 4)
        b[i] = c[i];
#pragma endscop
}
