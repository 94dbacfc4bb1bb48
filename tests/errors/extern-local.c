// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float *a, float *b)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
// CHECK: extern-local.c:[[@LINE+1]]:28: error: an extern declaration is not possible in a region; declare it before the region
                extern int count;
                a[p] = count;
            }
    }
}
