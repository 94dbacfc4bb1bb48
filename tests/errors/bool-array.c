// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, _Bool *a)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
// CHECK: bool-array.c:[[@LINE+1]]:17: error: an array of _Bool is not possible in a region; use unsigned char
                a[p] = 1;
            }
    }
}
