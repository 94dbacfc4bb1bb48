// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float *a, float *b)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
// CHECK: nested-schedule.c:[[@LINE+1]]:17: error: a region (`meta_schedule`) is not possible in a region; write one region after the other
                meta_schedule {
                    a[p] = 0;
                }
            }
    }
}
