// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, volatile float *a)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
// CHECK: volatile.c:[[@LINE+1]]:17: error: `a` (volatile) is not possible in a region; drop `volatile`
                a[p] = 0;
            }
    }
}
