/* Sums over iterations that are exact in any order: in threads beside other work, and at places that are read from memory. */
/* Rows, whose sums are one thread's as ever, and their sum over all. */
void rows(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    int all = 0;
#pragma scop
    int mean = 0;
    for (long i = 0; i < n; i++) {
        int row = 0;
        for (long j = 0; j < m; j++)
            row += c[i] + (int)j;
        b[i] = row;
        all += row;
    }
    for (long i = 0; i < n; i++)
        mean += c[i];
    mean = mean / 2;
    for (long i = 0; i < n; i++) {
        int twice = mean * 2;
        b[i] = b[i] + twice;
    }
#pragma endscop
    c[0] = all;
}

/* Histograms. */
void scattered(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    int seen[8] = {0}, weights[8] = {0};
#pragma scop
    for (long i = 0; i < n; i++) {
        seen[c[i] & 7]++;
        weights[(c[i] >> 1) & 7] += (int)i;
    }
#pragma endscop
    for (int k = 0; k < 8; k++)
        b[k & 3] += seen[k] + weights[k] * (k + 1);
}
