// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, float *a)
{
    meta_schedule {
// CHECK: no-meta-for.c:[[@LINE+1]]:9: error: a region begins with its grid band of meta_for; move this before the region
        for (int i = 0; i < n; i++)
            a[i] = 0;
    }
}
