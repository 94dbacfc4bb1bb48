// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float *s, const float *x)
{
// CHECK: reduce-bits.c:[[@LINE+1]]:34: error: meta_reduce takes integers by `^`; `s` has elements of type float
    meta_schedule meta_reduce(^, s) {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++)
                s[0] += x[i * B + j];
    }
}
