// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
int t;
static int g(int x) { return x + t; }
void f(int n, int B, int t, float *a)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
// CHECK: hidden-name.c:[[@LINE+1]]:31: error: the region uses two variables named `t`, of which one hides the other; rename one
                a[p] = g(p) + t;
            }
    }
}
