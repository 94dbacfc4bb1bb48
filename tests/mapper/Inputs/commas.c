/* Expressions with commas as statements: in blocks, as bodies of loops, as branches, on the host. */
void bodies(long n, long m, double *a, double *b, int *c)
{
    long i;
    for (i = 0; i < n; i++)
        a[i] += b[i] * m, b[i] = a[i] - 1;
    for (i = 0; i < n; i++) {
        double x, y;
        x = a[i], y = b[i];
        a[i] = y, (b[i] = x, c[i] += 3);
    }
}

void branches(long n, long m, double *a, double *b, int *c)
{
    for (long i = 0; i < n; i++)
        if (c[i] > 2)
            a[i] = b[i], b[i] = 0;
        else
            c[i]--, a[i] = m;
}

void steps(long n, long m, double *a, double *b, int *c)
{
    long i, t;
    for (t = 0; t < m; t++) {
        if (t == 3) a[0] = 1, b[0] = a[1]; else b[0] = 2, a[0] = b[1];
        for (i = 1; i < n; i++) a[i] = b[i] + t, c[i] = (int)t;
        for (i = 1; i < n; i++) b[i] = a[i - 1], c[i] += (int)b[i];
    }
}
