// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float *a, float *b)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++) {
// CHECK: store-between-bands.c:[[@LINE+1]]:13: error: a store to `b` outside the bands of threads is not possible in a region; put it inside a meta_for of the block band
            b[i] = 0;
            meta_for (int j = 0; j < B; j++)
                a[i * B + j] = 0;
        }
    }
}
