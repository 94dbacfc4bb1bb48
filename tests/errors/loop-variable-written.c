// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float *a, float *b)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
// CHECK: loop-variable-written.c:[[@LINE+1]]:17: error: a `for` whose variable `k` is written in its body is not possible in a region; use another variable; trip counts must be known before a loop starts
                for (int k = 0; k < 9; k++) {
                    k++;
                    a[p] += k;
                }
            }
    }
}
