// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float *a, float *b)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
// CHECK: union-local.c:[[@LINE+1]]:48: error: a value of type `union bits` (union) is not possible in a region; use scalars and arrays of scalars
                union bits { int i; float f; } u;
                a[i * B + j] = 0;
            }
    }
}
