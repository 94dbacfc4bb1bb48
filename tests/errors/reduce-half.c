// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, const _Float16 *a, _Float16 sum[1])
{
// CHECK: reduce-half.c:[[@LINE+1]]:34: error: meta_reduce takes elements of 32 or 64 bits by `+`; `sum` has elements of type _Float16
    meta_schedule meta_reduce(+, sum) {
        meta_for (int i = 0; i < (n + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++)
                if (i * B + j < n)
                    sum[0] += a[i * B + j];
    }
}
