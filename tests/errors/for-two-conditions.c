// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float *a, float *b)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
// CHECK: for-two-conditions.c:[[@LINE+1]]:29: error: a `for` whose condition is not one comparison of its variable is not possible in a region; write `for (int k = a; k < b; k += c)`
            for (int k = 0; k < 3 && n > 5; k++)
                meta_for (int j = 0; j < B; j++)
                    a[i * B + j] += k;
    }
}
