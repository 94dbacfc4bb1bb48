// RUN: not %treefork tree %s 2>&1 | FileCheck %s
// A jump of a branch that also goes on would need what follows twice, and a block band cannot be written twice.
#include <metafork.h>
void f(int n, int m, int B, float *a)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            for (int k = 0; k < m; k++) {
// CHECK: continue.c:[[@LINE+1]]:17: error: a `continue` in a branch that does not always jump, before a meta_for, is not possible in a region; put the rest of the body into an `if`
                if (k > i) {
                    if (k % 2)
                        continue;
                }
                meta_for (int j = 0; j < B; j++)
                    a[i * B + j] += k;
            }
    }
}
