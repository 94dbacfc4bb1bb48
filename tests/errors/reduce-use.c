// RUN: not %treefork tree %s 2>&1 | FileCheck %s
// A sum is used in the band that accumulates in it: other threads have not added their part yet.
#include <metafork.h>

void atax(int m, int n, int B, const float a[m][n], float t[m], float y[n])
{
    meta_schedule meta_reduce(+, t, y) {
        meta_for (int i = 0; i < m; i++)
            for (int j0 = 0; j0 < n; j0 += B)
                meta_for (int l = 0; l < B; l++)
                    if (j0 + l < n) {
                        t[i] += a[i][j0 + l];
// CHECK: reduce-use.c:[[@LINE+1]]:53: error: `t` is read here, while other iterations accumulate in it by `+`; read it behind the region (it is not the finish of a sum: it stands in a loop)
                        y[j0 + l] += a[i][j0 + l] * t[i];
                    }
    }
}
