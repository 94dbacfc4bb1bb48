// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int m, int n, int k, int B, const double a[m][n], double *t, double *y)
{
    meta_schedule meta_reduce(+, t, y) {
        meta_for (int i = 0; i < m; i++) {
            for (int j0 = 0; j0 < n; j0 += B)
                meta_for (int l = 0; l < B; l++)
                    if (j0 + l < k && i == 0)
// CHECK: reduce-start-guard.c:[[@LINE+2]]:25: error: this store to `y` is no accumulation by `+`, as every one in the region must be (it is not the start of a sum: it stands in a loop that does not run through all first elements of the array once)
// CHECK: reduce-start-guard.c:[[@LINE-6]]:37: note: `y` is reduced here
                        y[j0 + l] = 0;
            for (int j0 = 0; j0 < n; j0 += B)
                meta_for (int l = 0; l < B; l++)
                    if (j0 + l < n)
                        t[i] += a[i][j0 + l];
            for (int j0 = 0; j0 < n; j0 += B)
                meta_for (int l = 0; l < B; l++)
                    if (j0 + l < n)
                        y[j0 + l] += a[i][j0 + l] * t[i];
        }
    }
}
