// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, int *q, int *y, int k, const int x[n][n])
{
    meta_schedule meta_reduce(+, q, y) {
        meta_for (int i = 0; i < n; i++)
            meta_for (int b = 0; b < (n + B - 1) / B; b++)
                meta_for (int t = 0; t < B; t++) {
                    int j = b * B + t;
                    if (j < n) {
                        q[i] += x[i][j];
                        y[j] += x[i][j];
                        if (i == n - 1 && j == n - 1)
// CHECK: reduce-finish-points.c:[[@LINE+2]]:29: error: this store to `q` is no accumulation by `+`, as every one in the region must be (it is not the finish of a sum: the sums that it reads end at different points)
// CHECK: reduce-finish-points.c:[[@LINE-10]]:34: note: `q` is reduced here
                            q[i] = y[j] * 2 + q[i] * 2;
                    }
                }
    }
}
