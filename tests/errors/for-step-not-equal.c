// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float *a, float *b)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
// CHECK: for-step-not-equal.c:[[@LINE+1]]:33: error: a `for` with `!=` and a step other than 1 is not possible in a region; compare with `<`
                for (int k = 0; k != 9; k += 2)
                    a[p] += k;
            }
    }
}
