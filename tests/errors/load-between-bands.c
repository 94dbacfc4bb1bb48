// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float *a)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++) {
// CHECK: load-between-bands.c:[[@LINE+1]]:27: error: `a` is read between the bands and written in the region: threads could see different values; read it inside a block band
            float first = a[i * B];
            meta_for (int j = 0; j < B; j++)
                a[i * B + j] = first;
        }
    }
}
