#include "judge.h"

/* Two plans, whose regions stand one behind the other. */
void pairs(int n, double d[restrict][8], double *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        b[i] = 0;
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < 8; k++)
                sum += d[i][k] * d[j][k];
            b[i] += sum > 1 ? 1 / sum : sum;
        }
    }
#pragma endscop
}

/* The mapper takes the greater size for a parameter; the judge does not read such subscripts. */
void shift(int n, int m, double *restrict a, double *restrict b, double c[restrict][8])
{
#pragma scop
    for (int i = 0; i < (n | m); i++)
        a[i] = a[i + (n | m)] + 1;
    for (int i = 0; i < (n | m); i++)
        for (int j = 0; j < 8; j++) {
            double t = c[i][j] * a[0];
            c[i][j] = t + c[i + (n | m)][j];
        }
    for (int i = 0; i < n; i++)
        b[i] = 2 * b[i] + a[0];
#pragma endscop
}

/* The same in a wavefront. */
void wave(int n, int m, double c[restrict][8], double *restrict b)
{
#pragma scop
    for (int i = 1; i < 9; i++)
        for (int j = 1; j < 8; j++)
            c[i + (n | m)][j] += c[i + (n | m) - 1][j] - c[i + (n | m)][j - 1];
    for (int i = 0; i < n; i++)
        b[i] = b[i] - 3;
#pragma endscop
}

/* All that the fragment has. */
void alone(int n, int m, double *restrict a)
{
#pragma scop
    for (int i = 0; i < (n | m); i++)
        a[i] = a[i + (n | m)] * 3;
#pragma endscop
}
