// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, float *a)
{
// CHECK: cache-outside.c:[[@LINE+1]]:5: error: `cache` is a mark of metafork.h and stands directly behind meta_schedule
    cache(a)
    for (int i = 0; i < n; i++)
        a[i] = 0;
}
