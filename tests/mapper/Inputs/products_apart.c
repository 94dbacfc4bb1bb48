/* Products in the order of axpys, with a scalar that each round sets: rows of C's own arrays, and columns in flat memory with
   pitches, as libraries have them. */
#include <stdio.h>
#include <stdlib.h>

void rows(int m, int n, int k, double alpha, double a[k][m], double b[n][k], double c[n][m])
{
    int i, j, l;
    double temp;
    for (j = 0; j < n; j++)
        for (l = 0; l < k; l++) {
            temp = alpha * b[j][l];
            for (i = 0; i < m; i++)
                c[j][i] += temp * a[l][i];
        }
}

void columns(int m, int n, int k, double alpha, const double *a, int lda, const double *b, int ldb, double *c, int ldc)
{
    int i, j, l;
    double temp;
    for (j = 0; j < n; j++)
        for (l = 0; l < k; l++) {
            temp = alpha * b[l + j * ldb];
            for (i = 0; i < m; i++)
                c[i + j * ldc] += temp * a[i + l * lda];
        }
}

int main(void)
{
    enum { SIZE = 300, PITCH = SIZE + 3 };
    double *a = malloc(sizeof *a * PITCH * SIZE), *b = malloc(sizeof *b * PITCH * SIZE);
    double *c = calloc((size_t)PITCH * SIZE, sizeof *c), sum = 0;
    for (int i = 0; i < PITCH * SIZE; i++) {
        a[i] = i % 17 * 0.25;
        b[i] = i % 13 - 3.;
    }
    rows(SIZE, SIZE, SIZE, 1.5, (void *)a, (void *)b, (void *)c);
    columns(SIZE - 1, SIZE, SIZE - 2, -0.5, a, PITCH, b, PITCH, c, PITCH);
    for (int i = 0; i < PITCH * SIZE; i++)
        sum += i % 7 * c[i];
    printf("%.6f\n", sum);
    free(a);
    free(b);
    free(c);
    return 0;
}
