void triad(int n, double *restrict a, const double *restrict b, const double *restrict c)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = b[i] + 3 * c[i];
}

/* At file scope; -D says how many. */
double x[MOST], y[MOST];

void sums(int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] += y[i];
}
