#include <stdlib.h>

/* Pointers that nothing says to lie apart. */
void smooth(int n, double *a, double *b)
{
#pragma scop
    for (int i = 1; i < n - 1; i++)
        b[i] = 0.5 * (a[i - 1] + a[i + 1]);
    for (int i = 1; i < n - 1; i++)
        a[i] = b[i];
#pragma endscop
}

void halves(int n, int m[][3], int rows[][3])
{
#pragma target
    for (int i = n - 1; i >= 0; i--)
        for (int j = 0; j < 3; j++)
            m[i][j] = rows[i][2 - j] / 2 + j;
}

/* A pointer that is made from one that is `restrict`; memory that is new. */
void derive(int n, int shift, int *restrict x)
{
    int *y = x + shift, *z = malloc(80 * sizeof(int));
#pragma scop
    for (int i = 0; i < n; i++)
        z[i] = x[i];
    for (int i = 0; i < n; i++)
        y[i] = x[i] * 2 + z[i];
#pragma endscop
    free(z);
}
