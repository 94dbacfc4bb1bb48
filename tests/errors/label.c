// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float *a, float *b)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
// CHECK: label.c:[[@LINE+1]]:17: error: a label is not possible in a region; remove it; jumps into or inside a region are not possible
                again: a[p] = 0;
            }
    }
}
