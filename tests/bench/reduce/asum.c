/* The sum of absolute values. */
#include "driver.h"
#if defined BLAS
#include <cblas.h>
static float asum(int n, const float *x, const float *y)
{
    (void)y;
    return cblas_sasum(n, x, 1);
}
#elif defined LANES
#define TERM "fabs(x[i])"
#include "lanes_sum.h"
static float asum(int n, const float *x, const float *y)
{
    return lanes_sum(n, x, y);
}
#else
static float asum(int n, const float *x, const float *y)
{
    float s = 0;
    (void)y;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += fabsf(x[i]);
    return s;
}
#endif

static double program_call(void)
{
    return asum(size, first, second);
}
