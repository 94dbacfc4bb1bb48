// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, int *s, const int *x)
{
// CHECK: reduce-outside.c:[[@LINE+1]]:5: error: `meta_reduce` is a mark of metafork.h and stands directly behind meta_schedule
    meta_reduce(+, s)
    for (int i = 0; i < n; i++)
        s[0] += x[i];
}
