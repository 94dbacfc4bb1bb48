/* c = a + b of two matrices of 2000 rows. */
#include "matadd.tf.h"
#include "../report.h"
#include <stdlib.h>

enum { N = 2000 };

int main(void)
{
    int (*a)[N] = malloc(N * sizeof *a), (*b)[N] = malloc(N * sizeof *b),
        (*c)[N] = malloc(N * sizeof *c);
    if (!a || !b || !c)
        return report_memory();
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = i;
            b[i][j] = j;
        }
    int status = matadd_auto(N, a, b, c);
    long wrong = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            wrong += c[i][j] != i + j;
    free(a);
    free(b);
    free(c);
    return report("c = a + b", status, wrong, (long)N * N);
}
