// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float *a)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
// CHECK: tunable-inside.c:[[@LINE+1]]:31: error: meta_tunable stands inside a region; declare `s` before meta_schedule
                const int s = meta_tunable(4);
                a[i * B + j] = s;
            }
    }
}
