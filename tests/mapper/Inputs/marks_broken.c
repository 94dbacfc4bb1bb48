#include <stdio.h>
#pragma endscop
static double a[64][64], b[64][64], c[64][64];
int main(void)
{
    for (int i = 0; i < 64; i++)
        for (int j = 0; j < 64; j++) {
            a[i][j] = i + j;
            b[i][j] = i - j;
        }
#pragma scop
    for (int i = 0; i < 64; i++)
        for (int j = 0; j < 64; j++)
            c[i][j] = a[i][j] * b[j][i];
    printf("%g\n", c[5][7]);
    for (int i = 0; i < 64; i++) {
#pragma endscop
        for (int j = 0; j < 64; j++)
            c[i][j] += a[i][j];
    }
#pragma scop
#pragma endscop
    printf("%g\n", c[5][7]);
#pragma scop
    return 0;
}
