// RUN: not %treefork tree %s 2>&1 | FileCheck %s
// CHECK: no-region.c:1:1: error: nothing to map: put `#pragma scop` and `#pragma endscop` around the loops, or `#pragma target` before one, or choose by `--function NAME` or `--all`
#include <metafork.h>
void f(int n, float *a)
{
    for (int i = 0; i < n; i++)
        a[i] = 0;
}
