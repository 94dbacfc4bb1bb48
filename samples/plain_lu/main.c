/* A[i][j] = min(i, j) + 1 is the product of two triangles of ones. */
#include "plain_lu.tf.h"
#include "../report.h"
#include <stdlib.h>

enum { N = 300 };

int main(void)
{
    double (*a)[N] = malloc(N * sizeof *a);
    if (!a)
        return report_memory();
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = (i < j ? i : j) + 1;
    lu(N, a);
    long wrong = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            wrong += a[i][j] != 1;
    free(a);
    return report("two triangles of ones", 0, wrong, (long)N * N);
}
