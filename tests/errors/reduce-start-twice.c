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
                        if (j == 0) {
                            q[i] = 0;
// CHECK: reduce-start-twice.c:[[@LINE+2]]:29: error: this store to `q` is no accumulation by `+`, as every one in the region must be (it is not the start of a sum: the element is set before)
// CHECK: reduce-start-twice.c:[[@LINE-9]]:34: note: `q` is reduced here
                            q[i] = 1;
                        }
                        q[i] += x[i][j];
                    }
                }
    }
}
