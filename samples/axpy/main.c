/* y = 2 x + y in single precision, of a million elements. */
#include "axpy.tf.h"
#include "../report.h"
#include <stdlib.h>

enum { N = 1000000 };

int main(void)
{
    float *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y);
    if (!x || !y)
        return report_memory();
    for (int i = 0; i < N; i++) {
        x[i] = (float)(i % 1000);
        y[i] = 1;
    }
    int status = axpy_float_auto(N, 2, x, y);
    long wrong = 0;
    for (int i = 0; i < N; i++)
        wrong += y[i] != (float)(2 * (i % 1000) + 1);
    free(x);
    free(y);
    return report("y = 2 x + y", status, wrong, N);
}
