// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float *a, float *b)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
// CHECK: string-literal.c:[[@LINE+1]]:24: error: a string literal is not possible in a region; keep text outside the region
                a[p] = "abc"[p % 3];
            }
    }
}
