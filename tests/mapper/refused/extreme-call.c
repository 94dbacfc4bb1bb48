// RUN: not %treefork map %s 2>&1 | FileCheck %s
#include <math.h>
double f(int n, const double *restrict a)
{
    double most = 0;
#pragma scop
    for (int i = 0; i < n; i++)
// CHECK: extreme-call.c:[[@LINE+1]]:{{[0-9]+}}: error: `fmax`, which replaces a start that is no number, cannot be mapped; write `if (e > m) m = e;` (or `<`), which has one result in any order, or map with --reassociate
        most = fmax(a[i], most);
#pragma endscop
    return most;
}
