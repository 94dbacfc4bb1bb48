/* Loops in which single rounds write what all others read, or take what the round before left. */

/* The first round writes what the others read. */
void first(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    for (int i = 0; i < n; i++)
        a[i] = a[0] + b[i];
}

/* The middle one: rounds before it read what was there. */
void middle(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    for (int i = 0; i < n; i++)
        a[i] = a[n / 2] + b[i];
}

/* One that the caller chooses: the text asks whether the loop has it. */
void chosen(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    for (int i = 0; i < n; i++)
        a[i] = 2 * a[m - 1] + b[i];
}

/* A row of a nest, and an element in each step of time. */
void rows(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i * m + j] += a[j] * 0.5;
    for (int t = 0; t < m; t++) {
        for (int i = 0; i < n; i++)
            b[i] = b[0] + a[i] * 0.25;
        for (int i = 0; i < n; i++)
            a[i] = b[n - 1 - i] + a[n / 2];
    }
}

/* The round that is alone counts as the iterator does: no sum of it is unsigned. */
void types(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    const int last = (int)m - 1;
    for (long i = 0; i < n; i++)
        a[i] = a[0] + (i - 5u) * 0.5;
    for (long i = 0; i < n; i++)
        b[i] = b[last] + (i - 5u) * 0.5;
}
