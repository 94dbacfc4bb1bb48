// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, void *a)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
// CHECK: void-pointer.c:[[@LINE+1]]:18: error: a cast of a pointer is not possible in a region; declare the array with its element type
                ((float *)a)[p] = 0;
            }
    }
}
