/* Scalars that loops or branches before may leave without a value, and the loops that read them. */
void halves(long n, long m, double *restrict a, double *restrict b, int *c)
{
    int half, other = 2;
    for (int l = 0; l < n; l++)
        half = 64 >> l;
    for (int l = n - 1; l >= 0; l--) {
        for (int i = 0; i < m; i++)
            a[i] += half * b[i];
        half = half * other;
    }
}

/* One branch alone sets it, and the first round sets it in half. */
void branch(long n, long m, double *restrict a, double *restrict b, int *c)
{
    double last;
    if (n > 0)
        last = 2;
    for (int l = 0; l < n; l++) {
        for (int i = 0; i < m; i++)
            a[i] += last * b[i + 1];
        last = b[l] + last * 0.5;
    }
}

/* Both branches set it. */
void branches(long n, long m, double *restrict a, double *restrict b, int *c)
{
    double first;
    if (c[0] > m)
        first = 2;
    else
        first = 3;
    for (int l = 0; l < n; l++) {
        for (int i = 0; i < m; i++)
            a[i] += first * b[i];
        first = b[l] * first;
    }
}

/* A place that loops set, which the test before the region reads. */
void place(long n, long m, double *restrict a, double *restrict b, int *c)
{
    long half, stride = 2 * m + 1;
    for (long l = 0; l < n; l++)
        for (half = c[l] & 1; half < 3; half += 2)
            b[0] += half;
    for (long i = 0; i < n; i++)
        a[half + i * stride] = a[half + i * stride] * b[1];
}
