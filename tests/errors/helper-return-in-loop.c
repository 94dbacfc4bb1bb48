// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
static int g(int x)
{
// CHECK: helper-return-in-loop.c:[[@LINE+1]]:5: error: `return` inside a loop is not possible in a region; end the function with one `return`
    for (int k = 0; k < 9; k++)
        if (k * k > x)
            return k;
    return 9;
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
