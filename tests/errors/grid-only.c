// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, float *a)
{
    meta_schedule {
// CHECK: grid-only.c:[[@LINE+1]]:9: error: a grid band without a block band: split the loop in two, `meta_for (i < n / B) meta_for (j < B)`, so that the inner one gives the threads of a block
        meta_for (int i = 0; i < n; i++)
            a[i] = 0;
    }
}
