// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float *a)
{
    meta_schedule {
        meta_for (int i = 0; i < n / (B / 2); i++)
// CHECK: block-extent-division.c:[[@LINE+1]]:13: error: the block extent B / 2 is no polynomial in the parameters; name it by a parameter of its own
            meta_for (int j = 0; j < B / 2; j++)
                a[i * (B / 2) + j] = 0;
    }
}
