// RUN: not %treefork tree %s 2>&1 | FileCheck %s
// CHECK: no-region.c:1:1: error: no region: mark the loops to offload by `meta_schedule { meta_for ... }`
#include <metafork.h>
void f(int n, float *a)
{
    for (int i = 0; i < n; i++)
        a[i] = 0;
}
