// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
static int g(int x)
{
    int y = x * x;
    y += x;
    return y;
}
void f(int n, int B, float *a, float *b)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
// CHECK: helper-under-and.c:[[@LINE+1]]:30: error: a call of `g`, which has several statements, under `&&`, `||` or `?:`, is not possible in a region; call it before, in an `if` where it is called under a condition
                if (p > 3 && g(p) > 2)
                    a[p] = 0;
            }
    }
}
