// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float *a, float *b)
{
    meta_schedule {
// CHECK: parameter-written.c:[[@LINE+1]]:34: error: a `for` whose bound changes while it runs is not possible in a region; copy it to a variable before the loop
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                a[p] = 0;
                n = 3;
            }
    }
}
