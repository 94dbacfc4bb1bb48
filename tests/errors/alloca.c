// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float *a, float *b)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
// CHECK: alloca.c:[[@LINE+1]]:17: error: memory by `__builtin_alloca` is not possible in a region; allocate before the region
                __builtin_alloca(n);
            }
    }
}
