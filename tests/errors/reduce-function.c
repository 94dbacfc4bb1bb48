// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
// CHECK: reduce-function.c:[[@LINE+1]]:13: error: `meta_reduce` is a mark of metafork.h and stands directly behind meta_schedule, so no function can bear this name: rename it
static void meta_reduce(int op, int *s) { s[0] += op; }
void f(int n, int B, int *s, const int *x)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++)
                s[i * B + j] = x[i * B + j];
    }
}
