#include "factor.h"
#include "nothing.h"

void scale(int n, const float *restrict a, float *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++)
        b[i] = FACTOR * a[i] + SHIFT;
#pragma endscop
}
