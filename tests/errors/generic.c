// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float *a, float *b)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
// CHECK: generic.c:[[@LINE+1]]:24: error: `_Generic` is not possible in a region; call the function for the type directly
                a[p] = _Generic(p, int: 1, default: 2);
            }
    }
}
