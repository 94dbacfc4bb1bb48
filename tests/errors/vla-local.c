// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float *a, float *b)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
// CHECK: vla-local.c:[[@LINE+1]]:23: error: a local array of variable length is not possible in a region; give it a constant size, or declare it before the region
                float w[B];
                w[0] = 1;
                a[p] = w[0];
            }
    }
}
