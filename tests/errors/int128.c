// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float *a, float *b)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
// CHECK: int128.c:[[@LINE+1]]:26: error: a value of type `__int128` (128-bit integer) is not possible in a region; use integers of at most 64 bits
                __int128 x = p;
                a[p] = (float)x;
            }
    }
}
