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
