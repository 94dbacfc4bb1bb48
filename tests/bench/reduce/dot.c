/* The product of two vectors. */
#include "driver.h"
#if defined BLAS
#include <cblas.h>
static float dot(int n, const float *x, const float *y)
{
    return cblas_sdot(n, x, 1, y, 1);
}
#elif defined LANES
#define TERM "x[i] * y[i]"
#include "lanes_sum.h"
static float dot(int n, const float *x, const float *y)
{
    return lanes_sum(n, x, y);
}
#else
static float dot(int n, const float *x, const float *y)
{
    float s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += x[i] * y[i];
    return s;
}
#endif

static double program_call(void)
{
    return dot(size, first, second);
}
