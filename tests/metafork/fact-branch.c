// The condition of an `if` around a region is a fact of variables that are assigned several times, if none of that is in its branch.
// RUN: %treefork -d access -D "WITHIN=" %s | FileCheck %s
// CHECK: parallel: proved{{$}}
// RUN: %treefork -d access -D "WITHIN=r = c[n];" %s 2>&1 | FileCheck --check-prefix=NOT %s
// RUN: %treefork -d access -D "WITHIN=change(&r);" %s 2>&1 | FileCheck --check-prefix=NOT %s
// NOT: parallel: proved under n <= r{{$}}
#include <metafork.h>
void change(int *r);
void rows(int n, int m, int B, const int *c, double *a)
{
    for (int i = 0; i < n; i++) {
        int r = m;
        r = c[i];
        if (r >= n) {
            WITHIN
            meta_schedule {
                meta_for (int b = 0; b < (n + B - 1) / B; b++)
                    meta_for (int t = 0; t < B; t++) {
                        int j = b * B + t;
                        if (j < n)
                            a[j] += a[r + j];
                    }
            }
        }
    }
}
