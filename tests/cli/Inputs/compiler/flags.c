/* What its values are depends on options of the compiler: headers that are found by them only, the
   sign of char, macros, the standard. */
#include <stdio.h>
#include "shift.h"
#include <scale.h>

static char bytes[2048];
static int sums[2048];

int main(void)
{
    int i;
    long sum = 0;
#ifdef _OPENMP
    const int threads = 3;
#else
    const int threads = 1;
#endif
#ifdef __STRICT_ANSI__
    const int strict = 10;
#else
    const int strict = 0;
#endif
    for (i = 0; i < COUNT; i++)
        bytes[i] = (char)i;
#pragma omp parallel for
    for (i = 0; i < COUNT; i++)
        sums[i] = bytes[i] * SCALE + SHIFT + threads + strict;
    for (i = 0; i < COUNT; i++)
        sum += sums[i];
    printf("sum %ld\n", sum);
    return 0;
}
