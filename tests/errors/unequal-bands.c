// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float *a)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++) {
            meta_for (int j = 0; j < B; j++)
                a[i * B + j] = 0;
// CHECK: unequal-bands.c:[[@LINE+1]]:13: error: this meta_for has the extent B - 1, the first block band B; all block bands of a region must have the same extents (put `if (x < extent)` around the body of the shorter one)
            meta_for (int j = 0; j < B - 1; j++)
                a[i * B + j] += 1;
        }
    }
}
