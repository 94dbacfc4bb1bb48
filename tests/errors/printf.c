// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
#include <stdio.h>
void f(int n, int B, float *a, float *b)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
// CHECK: printf.c:[[@LINE+1]]:17: error: output by `printf` is not possible in a region; store into an array and print after the region
                printf("%d\n", i);
            }
    }
}
