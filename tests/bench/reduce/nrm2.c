/* The length of a vector. */
#include "driver.h"
#if defined BLAS
#include <cblas.h>
static float nrm2(int n, const float *x, const float *y)
{
    (void)y;
    return cblas_snrm2(n, x, 1);
}
#elif defined LANES
#define TERM "x[i] * x[i]"
#include "lanes_sum.h"
static float nrm2(int n, const float *x, const float *y)
{
    return sqrtf(lanes_sum(n, x, y));
}
#else
static float nrm2(int n, const float *x, const float *y)
{
    float s = 0;
    (void)y;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += x[i] * x[i];
    return sqrtf(s);
}
#endif

static double program_call(void)
{
    return nrm2(size, first, second);
}
