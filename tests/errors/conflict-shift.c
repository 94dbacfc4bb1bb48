// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float *a, float *b)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
// CHECK: conflict-shift.c:[[@LINE+1]]:24: error: iterations of meta_for conflict: i = 0, j = 1 and i = 1, j = 0 both touch a[2] for n = 4, B = 2
                a[p] = a[p + 1];
            }
    }
}
