// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float *a, float *b)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++) {
            int p = i + 1;
// CHECK: for-computed-step.c:[[@LINE+1]]:41: error: a `for` with a step that is no product of positive literals and parameters is not possible in a region; name the step by a parameter, or write `k = a + c * r` in a loop over r
            for (int k = 0; k < 9; k += p)
                meta_for (int j = 0; j < B; j++)
                    a[i * B + j] += k;
        }
    }
}
