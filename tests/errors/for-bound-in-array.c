// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, int *c)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
// CHECK: for-bound-in-array.c:[[@LINE+1]]:37: error: a `for` whose bound changes while it runs is not possible in a region; copy it to a variable before the loop
                for (int k = 0; k < c[p]; k++)
                    c[p] -= 1;
            }
    }
}
