// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float *a, float *b)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++) {
            int k = 0;
// CHECK: for-no-start.c:[[@LINE+1]]:13: error: a `for` that does not set its variable is not possible in a region; write `for (int k = a; k < b; k += c)`
            for (; k < 3; k++)
                meta_for (int j = 0; j < B; j++)
                    a[i * B + j] += k;
        }
    }
}
