// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, int *s, int *y, const int *x)
{
    meta_schedule meta_reduce(+, s) {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                s[0] += x[i * B + j];
// CHECK: reduce-read.c:[[@LINE+2]]:32: error: `s` is read here, while other iterations accumulate in it by `+`; read it behind the region
// CHECK: reduce-read.c:[[@LINE-5]]:34: note: `s` is reduced here
                y[i * B + j] = s[0];
            }
    }
}
