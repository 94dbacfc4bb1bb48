// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float *a, float *b)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
// CHECK: statement-expression.c:[[@LINE+1]]:24: error: a statement expression is not possible in a region; write its statements before, or make a `static inline` function of it
                a[p] = ({ float t = p; t * 2; });
            }
    }
}
