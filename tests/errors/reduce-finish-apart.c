// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, int *q, int *y, int k, const int x[n][n])
{
    meta_schedule meta_reduce(+, q) {
        meta_for (int i = 0; i < n; i++)
            meta_for (int b = 0; b < (n + B - 1) / B; b++)
                meta_for (int t = 0; t < B; t++) {
                    int j = b * B + t;
                    if (j < n) {
                        q[i] += x[i][j];
                        if (j == n - 1)
// CHECK: reduce-finish-apart.c:[[@LINE+2]]:36: error: `q` is read here, while other iterations accumulate in it by `+`; read it behind the region (it is not the finish of a sum: different points are not proved to touch different elements)
// CHECK: reduce-finish-apart.c:[[@LINE-9]]:34: note: `q` is reduced here
                            y[0] = q[i];
                    }
                }
    }
}
