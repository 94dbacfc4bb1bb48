// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float *a, float *b)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
// CHECK: for-wrong-way.c:[[@LINE+1]]:33: error: a `for` whose step leads away from its bound is not possible in a region; write `for (int k = a; k < b; k += c)`
                for (int k = 9; k > 0; k++)
                    a[p] += k;
            }
    }
}
