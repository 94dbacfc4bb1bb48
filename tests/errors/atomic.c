// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, _Atomic int *a)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
// CHECK: atomic.c:[[@LINE+1]]:24: error: a value of type `_Atomic(int)` (_Atomic) is not possible in a region; iterations of meta_for are independent and need no atomics
                a[p] = 1;
            }
    }
}
