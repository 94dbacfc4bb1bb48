// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float *a)
{
    if (meta_pays(1.0 * n, 1)) meta_schedule {
        meta_for (int i = 0; i < (n + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++)
                if (i * B + j < n)
// CHECK: pays-inside.c:[[@LINE+1]]:36: error: `meta_pays` is not possible in a region; ask around the region
                    a[i * B + j] = meta_pays(1.0, 1);
    }
    meta_paid();
}
