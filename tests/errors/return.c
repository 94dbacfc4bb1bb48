// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float *a, float *b)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                if (p > 3)
// CHECK: return.c:[[@LINE+1]]:21: error: `return` is not possible in a region; let the region run to its end
                    return;
                a[p] = 0;
            }
    }
}
