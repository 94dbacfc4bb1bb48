/* The arrays overlap, so the mapped text takes the loop as it was: equal, and nothing is gained. */
#include "polybench.h"

static void shift(int n, double x[n], double y[n])
{
    int i;
#pragma scop
    for (i = 0; i < n; i++)
        y[i] = x[i] / 3;
#pragma endscop
}

int main(void)
{
    static double x[SIZE + 1];
    int i;
    x[0] = 1;
    shift(SIZE, x, x + 1);
    results_begin("x");
    for (i = 0; i < SIZE; i++)
        SHOW(x[i]);
    return 0;
}
