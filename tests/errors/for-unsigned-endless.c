// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float *a, float *b)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
// CHECK: for-unsigned-endless.c:[[@LINE+1]]:38: error: a `for` with an unsigned variable and `>= 0`, which never ends, is not possible in a region; count in an int
                for (unsigned k = 9; k >= 0; k--)
                    a[p] += k;
            }
    }
}
