// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, int *s, const int *x)
{
    struct { int at; } t = {0};
// CHECK: reduce-scalar.c:[[@LINE+1]]:34: error: meta_reduce(...) takes names of arrays and scalars; `t` is none
    meta_schedule meta_reduce(+, t) {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++)
                s[i * B + j] = x[i * B + j];
    }
}
