// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, float *a)
{
// CHECK: cache-outside.c:[[@LINE+1]]:5: error: cache(...) stands directly behind meta_schedule or nowhere
    cache(a)
    for (int i = 0; i < n; i++)
        a[i] = 0;
}
