/* y = A x, where every row of A has the same numbers. */
#include "matvec.tf.h"
#include "../report.h"
#include <stdlib.h>

enum { M = 2000, N = 1024 };

int main(void)
{
    float (*a)[N] = malloc(M * sizeof *a), *x = malloc(N * sizeof *x), *y = calloc(M, sizeof *y);
    if (!a || !x || !y)
        return report_memory();
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = 1;
    for (int j = 0; j < N; j++)
        x[j] = (float)j;
    matvec(M, N, 64, 16, (const float(*)[N])a, x, y); /* blocks of 64 rows, pieces of 16 columns */
    long wrong = 0;
    for (int i = 0; i < M; i++)
        wrong += y[i] != (float)(N * (N - 1) / 2);
    free(a);
    free(x);
    free(y);
    return report("y = A x", 0, wrong, M);
}
