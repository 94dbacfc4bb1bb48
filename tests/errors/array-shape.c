// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
static int first(const int *x) { return x[0]; }
void f(int n, int B, int m[restrict n][16], int *restrict a)
{
    meta_schedule {
        meta_for (int b = 0; b < n / B; b++)
            meta_for (int t = 0; t < B; t++)
// CHECK: array-shape.c:[[@LINE+1]]:38: error: `m` as an array of another shape is not possible in a region; declare the parameter with the extents that the argument has
                a[b * B + t] = first(m);
    }
}
