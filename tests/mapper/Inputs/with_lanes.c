/* Sums of threads along several axes, where the loops would have other bits than lanes. */
#define AT(i, j, k) (((i) * m + (j)) * m + (k))

/* Each thread has a row of its own. */
void shares(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    for (long i = 0; i < 2; i++)
        for (long j = 0; j < m; j++) {
            double sum = 0;
            for (long k = 0; k <= j; k++) {
                double e = a[AT(i, j, k)] * 0.125 + 1;
                sum += e;
                b[AT(i, j, k)] = e;
            }
            double inverse = sum == 0 ? 0 : 1 / sum;
            for (long k = 0; k < m; k++) {
                if (k <= j)
                    b[AT(i, j, k)] *= inverse;
                else
                    b[AT(i, j, k)] = 0;
            }
        }
}

/* Threads share what they read, and keep the order. */
void product(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    for (long i = 0; i < n; i++)
        for (long j = 0; j < m; j++) {
            for (long k = i + 1; k < n; k++)
                a[i * m + j] += b[k * n + i] * a[k * m + j] * 0.125;
            a[i * m + j] *= 0.5;
        }
}
