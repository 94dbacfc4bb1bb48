// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, double _Complex *a)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
// CHECK: complex.c:[[@LINE+1]]:24: error: a value of type `_Complex double` is not possible in a region; use real and imaginary parts as separate scalars, or plain C, which is mapped
                a[p] = 1;
            }
    }
}
