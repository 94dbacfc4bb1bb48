// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float *a, float *b)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
// CHECK: for-two-variables.c:[[@LINE+1]]:18: error: a `for` with several loop variables is not possible in a region; write `for (int k = a; k < b; k += c)`
            for (int k = 0, l = 1; k < l; k++)
                meta_for (int j = 0; j < B; j++)
                    a[i * B + j] += k;
    }
}
