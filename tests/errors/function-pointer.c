// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float (*g)(float), float *a)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
// CHECK: function-pointer.c:[[@LINE+1]]:24: error: a call through a pointer is not possible in a region; call the function by its name
                a[p] = g(a[p]);
            }
    }
}
