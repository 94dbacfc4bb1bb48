// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float *a, float *b)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
// CHECK: large-local.c:[[@LINE+1]]:23: error: a local array of more than 4096 elements (or none) is not possible in a region; declare it before the region
                float w[100][100];
                w[0][0] = 1;
                a[p] = w[0][0];
            }
    }
}
