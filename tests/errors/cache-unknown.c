// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float *a)
{
// CHECK: cache-unknown.c:[[@LINE+1]]:25: error: use of undeclared identifier 'c'
    meta_schedule cache(c) {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++)
                a[i * B + j] = 0;
    }
}
