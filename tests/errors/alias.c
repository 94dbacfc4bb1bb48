// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float *a, float *b)
{
    float *q = a;
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
// CHECK: alias.c:[[@LINE+1]]:17: error: `a` and `q` are the same memory; use one name for it in the region
                a[p] = q[p];
            }
    }
}
