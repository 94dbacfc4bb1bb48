// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float *a, float *b)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
// CHECK: conflict.c:[[@LINE+1]]:17: error: iterations of meta_for conflict: i = 1, j = 0 and i = 0, j = 0 both touch a[0] for n = 4, B = 2
                a[j] = i;
            }
    }
}
