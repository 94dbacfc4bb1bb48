// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float *a)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++) {
            float sum = 0;
            meta_for (int j = 0; j < B; j++)
// CHECK: block-scalar-in-band.c:[[@LINE+1]]:17: error: writing `sum` in a band, which is declared before it, is not possible in a region; declare it inside the innermost meta_for
                sum += a[i * B + j];
        }
    }
}
