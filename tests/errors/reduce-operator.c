// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, int *s, const int *x)
{
// CHECK: reduce-operator.c:[[@LINE+1]]:19: error: meta_reduce takes + * & | ^ min or max, which begin at a neutral element, not `-`; a difference is a sum of negative terms
    meta_schedule meta_reduce(-, s) {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++)
                s[0] -= x[i * B + j];
    }
}
