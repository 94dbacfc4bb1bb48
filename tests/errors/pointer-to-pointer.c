// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float **a)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
// CHECK: pointer-to-pointer.c:[[@LINE+1]]:17: error: a pointer to pointers is not possible in a region; use one array, `T (*a)[M]` or `T a[N][M]`
                a[i][j] = 0;
            }
    }
}
