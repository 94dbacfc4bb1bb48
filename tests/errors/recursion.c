// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
// CHECK: recursion.c:[[@LINE+1]]:53: error: recursion (`g`) is not possible in a region; write a loop
static int g(int x) { int y = x - 1; return x > 0 ? g(y) + 1 : 0; }
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
