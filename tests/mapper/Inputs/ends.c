/* Loops that end where the iterator and something else reach a bound, and loops with several bounds. */

/* Spans of growing length, as in chains of products: the sum of iterators is bounded. */
static void spans_of(int n, double x[n][n], const double *restrict b)
{
#pragma scop
    for (int len = 2; len <= n; len++)
        for (int i = 0; i + len <= n; i++) {
            int j = i + len - 1;
            x[i][j] = 1000;
            for (int k = i; k < j; k++) {
                double q = x[i][k] + x[k + 1][j] + b[k];
                if (q < x[i][j])
                    x[i][j] = q;
            }
        }
#pragma endscop
}
void spans(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    if (n > 0)
        spans_of((int)n, (double (*)[n])a, b);
}

/* Differences; the bound on the left; down; serial in the thread. */
void shifted(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
#pragma scop
    for (long i = n; i - m >= 0; i--)
        a[i] += b[i - m];
    for (long i = 0; n > m + i; i++) {
        double s = 0;
        for (long j = 0; i + j < n; j++)
            s = s / 2 + b[j];
        for (long j = i; j - i < m; j += 2)
            s = s / 2 + b[j];
        a[i] += s;
    }
#pragma endscop
}

/* Blocks by hand, the last one cut off; what is written is known to lie in the block. */
void blocks(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    int size = (int)n * 2, rows = (size + 3) / 4;
#pragma scop
    for (int r = 0; r < rows; r++) {
        double s = 0;
        for (int i = r * 4; i < size && i < (r + 1) * 4; i++) {
            s = s / 2 + b[i];
            a[i] = s;
        }
        for (int i = r * 4 + r % 2; i < size && i < r * 4 + 4 && i < m; i += 2)
            a[i] += 1;
    }
#pragma endscop
}

/* An iterator without a sign might wrap in a sum: left as it is. */
void wraps(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    unsigned high = n < 0 ? 0 : n, less = m < 0 ? 0 : m;
#pragma scop
    for (unsigned i = 0; i + less < high; i++)
        a[i] += 1;
    for (long i = 0; i < n; i++)
        b[i] += 1;
#pragma endscop
}
