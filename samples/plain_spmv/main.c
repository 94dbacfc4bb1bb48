/* A x for the matrix of second differences, 2 on the diagonal and -1 beside it, and x[i] = i * i: -2 inside. */
#include "plain_spmv.tf.h"
#include "../report.h"
#include <stdlib.h>

enum { N = 100000 };

int main(void)
{
    int *row = malloc((N + 1) * sizeof *row), *col = malloc(3 * N * sizeof *col), nz = 0;
    double *val = malloc(3 * N * sizeof *val), *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y);
    if (!row || !col || !val || !x || !y)
        return report_memory();
    for (int i = 0; i < N; i++) {
        x[i] = (double)i * i;
        row[i] = nz;
        for (int j = i - 1; j <= i + 1; j++)
            if (j >= 0 && j < N) {
                col[nz] = j;
                val[nz++] = j == i ? 2 : -1;
            }
    }
    row[N] = nz;
    spmv(N, nz, row, col, val, x, y);
    long wrong = 0;
    for (int i = 1; i < N - 1; i++)
        wrong += y[i] != -2;
    free(row);
    free(col);
    free(val);
    free(x);
    free(y);
    return report("y = A x", 0, wrong, N - 2);
}
