/* Ten means of three in a row whose cells are equal: they stay equal. */
#include "jacobi1d.tf.h"
#include "../report.h"
#include <stdlib.h>

enum { N = 100000, T = 10 };

int main(void)
{
    int *a = malloc(2 * N * sizeof *a);
    if (!a)
        return report_memory();
    for (int i = 0; i < 2 * N; i++)
        a[i] = 9;
    int status = jacobi1d_auto(T, N, a);
    long wrong = 0;
    for (int i = 0; i < 2 * N; i++)
        wrong += a[i] != 9;
    free(a);
    return report("means of equal cells", status, wrong, 2L * N);
}
