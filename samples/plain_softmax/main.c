/* The shares add up to 1, and the greatest element has the greatest share. */
#include "plain_softmax.tf.h"
#include "../report.h"
#include <math.h>
#include <stdlib.h>

enum { N = 200000 };

int main(void)
{
    float *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y);
    double all = 0;
    long wrong = 0;
    if (!x || !y)
        return report_memory();
    for (int i = 0; i < N; i++)
        x[i] = (float)((i * 7919L) % 1000) / 100;
    x[N / 3] = 12;
    softmax(N, x, y);
    for (int i = 0; i < N; i++) {
        all += y[i];
        wrong += i != N / 3 && !(y[i] < y[N / 3]);
    }
    wrong += fabs(all - 1) > 1e-4;
    free(x);
    free(y);
    return report("softmax", 0, wrong, N);
}
