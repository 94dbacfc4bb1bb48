// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float *a)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++) {
            int x = i * B;
// CHECK: third-level.c:[[@LINE+1]]:13: error: a third level of meta_for below a block band: the loops of a thread are plain `for`
            meta_for (int j = 0; j < B; j++)
                for (int k = 0; k < 4; k++)
                    meta_for (int l = 0; l < 4; l++)
                        a[((x + j) * 4 + k) * 4 + l] = 0;
        }
    }
}
