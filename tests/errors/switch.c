// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float *a, float *b)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
// CHECK: switch.c:[[@LINE+1]]:17: error: `switch` is not possible in a region; write `if` ... `else if`
                switch (p) {
                case 0: a[p] = 0; break;
                default: a[p] = 1;
                }
            }
    }
}
