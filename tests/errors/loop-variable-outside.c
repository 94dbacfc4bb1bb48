// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float *a, float *b)
{
    int k;
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                for (k = 0; k < 9; k++)
                    a[p] += k;
            }
    }
// CHECK: loop-variable-outside.c:[[@LINE+1]]:12: error: using the loop variable `k` outside its loop is not possible in a region; declare the variable in the `for`
    b[0] = k;
}
