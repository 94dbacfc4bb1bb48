// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float *a)
{
    meta_schedule {
        meta_for (int i = 0; i < n; i++) {
            int x = i * 2;
// CHECK: deep-band.c:[[@LINE+1]]:13: error: a block band has at most three meta_for
            meta_for (int j = 0; j < B; j++)
                meta_for (int k = 0; k < 2; k++)
                    meta_for (int l = 0; l < 2; l++)
                        meta_for (int m = 0; m < 2; m++)
                            a[x] = 0;
        }
    }
}
