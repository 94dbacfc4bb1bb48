/* The sum of absolute values, whose rounds go four at once in place, or one by one where they are
   many. */
#include <math.h>
float absolute(int n, const float *x)
{
    float s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += fabsf(x[i]);
    return s;
}
