/* Both loops become regions. On the device it says what a compiler of kernels might. */
#include "polybench.h"
#define HALF(x) ((x) / 2)

static double x[SIZE], y[SIZE];

int main(void)
{
    int i;
    for (i = 0; i < SIZE; i++)
        x[i] = i / 3.0;
#pragma scop
    for (i = 0; i < SIZE; i++)
        y[i] = HALF(x[i]);
    for (i = 1; i < SIZE; i++)
        x[i] = y[i - 1] / 3;
#pragma endscop
#ifdef SUITE_DEVICE
    fprintf(stderr, "2 warnings generated.\n1 warning generated.\n");
#endif
    results_begin("x");
    for (i = 0; i < SIZE; i++)
        SHOW(x[i]);
    return 0;
}
