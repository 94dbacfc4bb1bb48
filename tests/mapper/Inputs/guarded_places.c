/* Elements before a pointer's place that conditions keep from being read: in `?:`, under `&&` and `if`. */
void choices(long n, long m, double *a, double *b, int *c)
{
    for (long i = 0; i < n; i++)
        b[i] = (i > 0 ? a[i - 1] : 0) + (i + 1 < n ? a[i + 1] : 1);
}

void connectives(long n, long m, double *a, double *b, int *c)
{
    for (long i = 0; i < n; i++) {
        if (i - m < 0 || a[i - m] > 0)
            b[i] = 2;
        if (i > 1 && a[i - 2] > 0)
            b[i] += 1;
    }
}

/* What parameters add may be below 0, as a sum, as a product with an iterator of the host, and as a start. */
void before(long n, long m, double *a, double *b, int *c)
{
    for (long i = 0; i < n; i++)
        a[m + i] = b[m + i] * 2;
    for (long i = m; i < n; i++)
        b[i] += 1;
    for (long k = 0; k < 3; k++) {
        c[c[0] & 7] = (int)k;
        for (long i = 0; i < n; i++)
            a[(k - 1) * m + i] += 3;
    }
}
