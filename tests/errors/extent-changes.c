// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int m, int B, float a[n][m])
{
    m = m / 2;
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++)
// CHECK: extent-changes.c:[[@LINE+1]]:17: error: the array `a`, whose extent `m` changes in this function, is not possible in a region; leave the variables of extents unchanged
                a[i * B + j][0] = 0;
    }
}
