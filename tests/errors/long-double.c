// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, long double x, float *a)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
// CHECK: long-double.c:[[@LINE+1]]:32: error: a value of type `long double` (long double) is not possible in a region; use float or double
                a[p] = (float)(x * a[p]);
            }
    }
}
