/* Rows of flat arrays that hold blocks: a row is no multiple of its blocks, by what the text says. */
/* Rows of m elements hold n heads of m / n; one head is read in the row behind. */
void heads(long heads, long length, double *a, double *b, int *c)
{
    int n = (int)heads, m = (int)length, width = n > 0 ? m / n : 0;
    if (width < 0)
        return;
#pragma scop
    for (int t = 0; t < 3; t++)
        for (int h = 0; h < n; h++) {
            double most = -10;
            for (int u = 0; u <= t; u++) {
                double sum = 0;
                for (int i = 0; i < width; i++)
                    sum += a[t * m + h * width + i] * a[u * m + h * width + m + i];
                most = sum > most ? sum : most;
            }
            for (int i = 0; i < width; i++)
                b[t * m + h * width + i] = most + i;
        }
#pragma endscop
}

/* Blocks meet, and lie in other rows, where a row does not hold all of them. */
void blocks(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
#pragma scop
    for (long i = 0; i < 3; i++)
        for (long j = 0; j < m; j++)
            for (long k = 0; k < n; k++)
                a[j * n + k + i * (m + 3)] += b[k] * c[j] + i;
#pragma endscop
}

/* The order of the terms does not matter, nor do factors: three colours of blocks. */
void colours(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
#pragma scop
    for (long k = 0; k < n; k++)
        for (long j = 0; j < m; j++)
            for (long i = 0; i < 2; i++)
                a[3 * (j * n + k) + i * 3 * m + 1] = a[3 * (k + m * i + j * n)] + b[j * n + k + m * i];
#pragma endscop
}

/* The number of blocks is a literal, and each has a neighbour. */
void few(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    int rows = (int)n, stride = (int)m, size = stride / 4;
#pragma scop
    for (int y = 0; y < rows; y++)
        for (int x = 3; x > 0; x--)
            for (int i = size - 1; i >= 0; i--)
                a[y * stride + x * size + i] = b[y * stride + (x - 1) * size + i] + c[i];
#pragma endscop
}

/* Nothing counts to the number of elements in a block. */
void strided(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
#pragma scop
    for (long i = 0; i < 3; i++)
        for (long j = 0; j < n; j++)
            a[i * m + j * n] = b[j] + c[i];
#pragma endscop
}

/* Nor is an unsigned product of 64 bits tested. */
void wide(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    unsigned long w = n > 0 ? (unsigned long)n : 0, h = m > 0 ? (unsigned long)m : 0;
#pragma scop
    for (unsigned long i = 0; i < 3; i++)
        for (unsigned long j = 0; j < h; j++)
            for (unsigned long k = 0; k < w; k++)
                a[i * h + j * w + k] = b[k] + c[j];
#pragma endscop
}
