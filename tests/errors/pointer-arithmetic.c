// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float *a, float *b)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
// CHECK: pointer-arithmetic.c:[[@LINE+1]]:20: error: an element reached by such a pointer is not possible in a region; write `a[i]` with the array's own name
                *((p > 3 ? a : b) + p) = 0;
            }
    }
}
