/* The mapped text, which includes metafork.h, computes another last bit of one element. */
#include "polybench.h"

static double x[SIZE];

int main(void)
{
    int i;
#pragma scop
    for (i = 0; i < SIZE; i++)
        x[i] = i / 3.0;
#pragma endscop
#if defined METAFORK_H && !defined __TREEFORK__
    x[7] += 5e-16;
#endif
    results_begin("x");
    for (i = 0; i < SIZE; i++)
        SHOW(x[i]);
    return 0;
}
