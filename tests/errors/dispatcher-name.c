// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
// CHECK: dispatcher-name.c:[[@LINE+1]]:5: error: `f_select` is the name of the dispatcher of `f`; rename it
int f_select(int x) { return x + 1; }
void f(int n, int B, float *a)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++)
                a[i * B + j] = 0;
    }
}
