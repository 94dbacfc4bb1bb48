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
                            for (int r = 0; r < k; r++)
// CHECK: reduce-finish-loop.c:[[@LINE+2]]:33: error: this store to `q` is no accumulation by `+`, as every one in the region must be (it is not the finish of a sum: it stands in a loop)
// CHECK: reduce-finish-loop.c:[[@LINE-10]]:34: note: `q` is reduced here
                                q[i] *= 2;
                    }
                }
    }
}
