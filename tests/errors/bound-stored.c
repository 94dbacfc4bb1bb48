// RUN: not %treefork tree %s 2>&1 | FileCheck %s
// The function gets one array under two names: what it stores to bounds its loop.
#include <metafork.h>
static void fill(int *x, const int *n, int i)
{
    for (int k = 0; k < n[0]; k++)
// CHECK: bound-stored.c:[[@LINE-1]]:25: error: a `for` whose bound changes while it runs is not possible in a region; copy it to a variable before the loop
        x[k] = 3 + i;
}
void f(int n, int B, int m[restrict n][16])
{
    meta_schedule {
        meta_for (int b = 0; b < n / B; b++)
            meta_for (int t = 0; t < B; t++)
// CHECK: bound-stored.c:[[@LINE+1]]:17: note: in the call of `fill` here
                fill(m[b * B + t], m[b * B + t], t);
    }
}
