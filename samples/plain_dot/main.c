/* A sum of whole numbers below 2^24, which floats have exactly, in any order. */
#include "plain_dot.tf.h"
#include "../report.h"
#include <stdlib.h>

enum { N = 1000000 };

int main(void)
{
    float *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y);
    long expected = 0;
    if (!x || !y)
        return report_memory();
    for (int i = 0; i < N; i++) {
        x[i] = (float)(i % 7 - 3);
        y[i] = (float)(i % 5 - 1);
        expected += (long)(i % 7 - 3) * (i % 5 - 1);
    }
    float sum = dot(N, x, y);
    free(x);
    free(y);
    return report("x . y", 0, sum != (float)expected, N);
}
