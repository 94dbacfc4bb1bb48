// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float *a, float *b)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
// CHECK: literal-step.c:[[@LINE+1]]:45: error: a `for` with a step that is no product of positive literals and parameters is not possible in a region; name the step by a parameter, or write `k = a + c * r` in a loop over r
                for (int k = 0; k < 9; k += 0)
                    a[p] += k;
            }
    }
}
