// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float *a, float *b)
{
    meta_schedule {
// CHECK: iterator-written.c:[[@LINE+1]]:9: error: a `for` whose variable `i` is written in its body is not possible in a region; use another variable; trip counts must be known before a loop starts
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                i = 0;
                a[j] = 0;
            }
    }
}
