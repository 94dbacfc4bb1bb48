// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float *a, float *b)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
// CHECK: assignment-in-expression.c:[[@LINE+1]]:29: error: an assignment inside an expression is not possible in a region; make it a statement of its own
                a[p] = 1 + (b[p] = 0);
            }
    }
}
