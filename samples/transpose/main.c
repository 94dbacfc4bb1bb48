/* c is a with rows and columns exchanged. */
#include "transpose.tf.h"
#include "../report.h"
#include <stdlib.h>

enum { N = 1500 };

int main(void)
{
    int (*a)[N] = malloc(N * sizeof *a), *c = malloc(N * N * sizeof *c);
    if (!a || !c)
        return report_memory();
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = i * N + j;
    int status = transpose_auto(N, a, c);
    long wrong = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            wrong += c[j * N + i] != a[i][j];
    free(a);
    free(c);
    return report("rows and columns exchanged", status, wrong, (long)N * N);
}
