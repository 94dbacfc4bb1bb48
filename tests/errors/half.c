// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float *a, float *b)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
// CHECK: half.c:[[@LINE+1]]:24: error: a value of type `__fp16` (half precision of another kind) is not possible in a region; use _Float16, float or double
                __fp16 h = 1;
                a[p] = h;
            }
    }
}
