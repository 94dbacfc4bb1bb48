// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, float *a)
{
// CHECK: tunable-below-one.c:[[@LINE+1]]:19: error: meta_tunable(d) needs a constant d of at least 1: it is the value that host code sees
    const int B = meta_tunable(8 - 8);
    meta_schedule {
        meta_for (int i = 0; i < (n + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++)
                if (i * B + j < n)
                    a[i * B + j] = 1;
    }
}
