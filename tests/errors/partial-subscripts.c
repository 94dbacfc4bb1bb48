// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float a[n][n])
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
// CHECK: partial-subscripts.c:[[@LINE+1]]:24: error: a value of type `float *` (pointer) is not possible in a region; use array names with subscripts
                float *r = a[i];
                (void)r;
            }
    }
}
