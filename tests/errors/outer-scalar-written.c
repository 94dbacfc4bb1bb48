// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float *a, float *b)
{
    float sum = 0;
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
// CHECK: outer-scalar-written.c:[[@LINE+1]]:17: error: writing `sum`, which is declared outside, is not possible in a region; a sum over iterations is said by `meta_schedule meta_reduce(+, sum)`
                sum += a[p];
            }
    }
    b[0] = sum;
}
