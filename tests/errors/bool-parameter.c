// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, _Bool flag, float *a)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
// CHECK: bool-parameter.c:[[@LINE+1]]:24: error: the _Bool `flag` from outside is not possible in a region; pass an int (device kernels take no _Bool arguments)
                a[p] = flag;
            }
    }
}
