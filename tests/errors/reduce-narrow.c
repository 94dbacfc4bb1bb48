// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, short *s, const int *x)
{
// CHECK: reduce-narrow.c:[[@LINE+1]]:34: error: meta_reduce takes elements of 32 or 64 bits by `+`; `s` has elements of type short
    meta_schedule meta_reduce(+, s) {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++)
                s[0] += x[i * B + j];
    }
}
