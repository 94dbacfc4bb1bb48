/* Casts to the types that values have: a pitch, a phase and a step, and a header of two parts. */
typedef long index_t;

void beyond(long n, long m, double *restrict a, double *restrict b)
{
#pragma scop
    for (long i = 0; i < (index_t)n; i++)
        for (long j = 0; j <= m + (int)1; j++)
            a[(long)(i * (m + (int)1)) + j] = (double)(b[j] + 1.0);
#pragma endscop
}

void redblack(long n, long m, double *restrict a, double *restrict b)
{
#pragma scop
    for (long i = 0; i < n; i++)
        for (long j = 1 + i % ((int)2); j <= m; j += (int)2)
            a[i * (m + 1) + j] = b[j];
#pragma endscop
}

void both(long n, long m, double *restrict a)
{
#pragma scop
    for (long i = 0; i < n && (int)(i < m); i++)
        a[i] += 1;
#pragma endscop
}

/* This cast changes the subscript. */
void other(long n, float *restrict a, double *restrict b)
{
#pragma scop
    for (long i = 0; i < n; i++)
        a[(unsigned char)i] = (float)b[i];
#pragma endscop
}
