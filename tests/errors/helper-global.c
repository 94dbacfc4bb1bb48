// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
int total;
static int g(int x)
{
// CHECK: helper-global.c:[[@LINE+1]]:5: error: writing `total`, which is declared outside, is not possible in a region; a sum over iterations is said by `meta_schedule meta_reduce(+, total)`
    total += x;
    return x;
}
void f(int n, int B, float *a, float *b)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                a[p] = g(p);
            }
    }
}
