// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
static int g(int x)
{
// CHECK: helper-while-outside.c:[[@LINE+1]]:5: error: `while` is not possible in a region; outside of bands write a `for` whose trip count is known before it starts
    while (x > 3)
        x -= 2;
    return x;
}
void f(int n, int B, float *a, float *b)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++) {
            int k = g(n);
            meta_for (int j = 0; j < B; j++)
                a[i * B + j] = k;
        }
    }
}
