// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, int *s, const int *x)
{
// CHECK: reduce-missing.c:[[@LINE+5]]:17: error: iterations of meta_for conflict: i = 1, j = 0 and i = 0, j = 0 both touch s[0] for n = 4, B = 2
// CHECK: reduce-missing.c:[[@LINE+1]]:5: note: `meta_schedule meta_reduce(+, s)` makes `s` a sum over the iterations
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++)
                s[j] += x[i * B + j];
    }
}
