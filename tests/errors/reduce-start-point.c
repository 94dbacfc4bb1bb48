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
                        if (j == 1)
// CHECK: reduce-start-point.c:[[@LINE+2]]:29: error: this store to `q` is no accumulation by `+`, as every one in the region must be (it is not the start of a sum: it is not proved to come at the first point of the axes that the element's subscripts lack)
// CHECK: reduce-start-point.c:[[@LINE-8]]:34: note: `q` is reduced here
                            q[i] = 0;
                        q[i] += x[i][j];
                    }
                }
    }
}
