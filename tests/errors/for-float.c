// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float *a, float *b)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
// CHECK: for-float.c:[[@LINE+1]]:17: error: a loop over `x` of type `float` is not possible in a region; count in an integer
                for (float x = 0; x < 1; x += 0.25f)
                    a[p] += x;
            }
    }
}
