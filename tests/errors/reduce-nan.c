// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float *s, const float *x)
{
    meta_schedule meta_reduce(max, s) {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++)
// CHECK: reduce-nan.c:[[@LINE+1]]:17: error: this store to `s` is no accumulation by `max`, as every one in the region must be
                s[0] = s[0] > x[i * B + j] ? s[0] : x[i * B + j];
    }
}
