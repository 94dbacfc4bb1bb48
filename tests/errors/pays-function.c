// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
// CHECK: pays-function.c:[[@LINE+1]]:5: error: `meta_pays` is a mark of metafork.h and stands in conditions of host code, so no function can bear this name: rename it
int meta_pays(double rounds, int times);
void f(int n, int B, float *a)
{
    meta_schedule {
        meta_for (int i = 0; i < (n + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++)
                if (i * B + j < n)
                    a[i * B + j] = 1;
    }
}
