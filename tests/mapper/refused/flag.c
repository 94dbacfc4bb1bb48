// RUN: not %treefork map %s 2>&1 | FileCheck %s
#include <math.h>
int f(int n, const double *restrict a)
{
    int found = 0;
#pragma scop
    for (int i = 0; i < n; i++)
// CHECK: flag.c:[[@LINE+1]]:{{[0-9]+}}: error: `found`, which iterations set to a number under a condition, cannot be mapped; write `found |= ...` with the condition
        if (exp(a[i]) > 3)
            found = 1;
#pragma endscop
    return found;
}
