/* Sums that begin and end in the loops around them: each function with its nest, then the forms that stay apart. */
#include <stddef.h>
void rows(long n, long m, double *restrict a, double *restrict b, int c[20])
{
#pragma scop
    for (int i = 0; i < 20; i++) {
        c[i] = i;
        for (long j = 0; j < n; j++)
            c[i] += (int)(8 * a[j]) * i;
        b[i] = c[i] + m;
    }
#pragma endscop
}
void loops(long n, long m, double *restrict a, double *restrict b, int c[20])
{
#pragma scop
    for (int i = 0; i < 20; i++)
        c[i] = 7;
    for (int i = 0; i < 20; i++)
        for (long j = 0; j < n; j++)
            c[i] ^= (int)(8 * a[j]) + i;
    for (int i = 0; i < 20; i++)
        c[i] /= 2;
#pragma endscop
}
void triangle(long n, long m, double *restrict a, double *restrict b, int c[20])
{
#pragma scop
    for (int i = 0; i < 16; i++) {
        c[i] = c[i] * 3;
        for (long j = i; j < n; j++)
            c[i] += (int)(8 * a[j]);
        c[i] = 5 - c[i];
        b[i] = 2 * c[i];
    }
#pragma endscop
}
/* The last loop reads what another iteration sets; a condition on data is no finish. */
void kept(long n, long m, double *restrict a, double *restrict b, int c[21])
{
#pragma scop
    for (int i = 0; i < 20; i++) {
        c[i] = 1;
        for (long j = 0; j < n; j++)
            c[i] += (int)(8 * a[j]);
    }
    for (int i = 0; i < 20; i++)
        b[i] = c[19 - i];
    for (int i = 0; i < 20; i++)
        if (b[i] > 3)
            c[i] = 3;
#pragma endscop
}
