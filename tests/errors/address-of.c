// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
static int g(const int *x) { return x[0]; }
void f(int n, int B, float *a, float *b)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
// CHECK: address-of.c:[[@LINE+1]]:26: error: an address (`&`) is not possible in a region; use the variable or the array by its name
                a[p] = g(&p);
            }
    }
}
