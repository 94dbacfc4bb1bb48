// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float *a)
{
    meta_schedule {
// CHECK: statement-before-grid.c:[[@LINE+1]]:9: error: a region begins with its grid band of meta_for; move this before the region
        a[0] = 1;
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++)
                a[i * B + j] = 0;
    }
}
