// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float *a)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++) {
            meta_for (int j = 0; j < B; j++)
                a[i * B + j] = 0;
// CHECK: bands-other-depth.c:[[@LINE+1]]:13: error: this block band has another number of loops than the first one; all block bands of a region must have the same extents
            meta_for (int j = 0; j < B; j++)
                meta_for (int k = 0; k < B; k++)
                    a[i * B + j] += k;
        }
    }
}
