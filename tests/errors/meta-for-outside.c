// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, float *a)
{
// CHECK: meta-for-outside.c:[[@LINE+1]]:5: error: a meta_for outside meta_schedule; put `meta_schedule { ... }` around the outermost one
    meta_for (int i = 0; i < n; i++)
        a[i] = 0;
}
