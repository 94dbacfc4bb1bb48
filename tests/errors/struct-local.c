// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
struct pair { float x, y; };
void f(int n, int B, float *a, float *b)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
// CHECK: struct-local.c:[[@LINE+1]]:29: error: a value of type `struct pair` (struct) is not possible in a region; use scalars and arrays of scalars
                struct pair q = {0, 1};
                a[i * B + j] = 0;
            }
    }
}
