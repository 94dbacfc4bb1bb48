// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, int T_B, float *a)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
// CHECK: machine-name.c:[[@LINE+1]]:32: error: `T_B` is the name of a machine parameter of the case tree; rename the variable
                a[i * B + j] = T_B;
            }
    }
}
