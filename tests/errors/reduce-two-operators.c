// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, int *s, const int *x)
{
// CHECK: reduce-two-operators.c:[[@LINE+2]]:54: error: `s` is reduced by `+` and by `max`; use an array for each operator
// CHECK: reduce-two-operators.c:[[@LINE+1]]:34: note: by `+` here
    meta_schedule meta_reduce(+, s) meta_reduce(max, s) {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++)
                s[0] += x[i * B + j];
    }
}
