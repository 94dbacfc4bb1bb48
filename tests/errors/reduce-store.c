// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, int *s, const int *x)
{
    meta_schedule meta_reduce(+, s) {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                s[0] += x[i * B + j];
                if (i + j == 0)
// CHECK: reduce-store.c:[[@LINE+2]]:21: error: this store to `s` is no accumulation by `+`, as every one in the region must be
// CHECK: reduce-store.c:[[@LINE-6]]:34: note: `s` is reduced here
                    s[0] = 0;
            }
    }
}
