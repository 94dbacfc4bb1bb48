// A comparison through a variable that the region does not name is a fact, if the variable keeps its value: i < n and n <= m.
// RUN: %treefork -d access -D "WHERE=n <= m" %s | FileCheck %s
// RUN: %treefork -d access -D "WHERE=m > n - 1" %s | FileCheck %s
// RUN: %treefork -d access -D "WHERE=n - 3 < m - 2 && m > 2" %s | FileCheck %s
// CHECK: parallel: proved{{$}}
// RUN: not %treefork -d access -D "WHERE=n <= m + 1" %s 2>&1 | FileCheck --check-prefix=NOT %s
// RUN: not %treefork -d access -D "WHERE=n <= m && n++" %s 2>&1 | FileCheck --check-prefix=NOT %s
// RUN: not %treefork -d access -D "WHERE=n >= m" %s 2>&1 | FileCheck --check-prefix=NOT %s
// RUN: not %treefork -d access -D "WHERE=(unsigned)n - 3 < m" %s 2>&1 | FileCheck --check-prefix=NOT %s
// NOT: error: iterations of meta_for conflict
#include <metafork.h>
void rows(int n, int m, int B, double *a)
{
    if (WHERE)
        for (int i = 0; i < n; i++)
            meta_schedule {
                meta_for (int b = 0; b < (m + B - 1) / B; b++)
                    meta_for (int t = 0; t < B; t++) {
                        int j = b * B + t;
                        if (j < m)
                            a[i * m + j] += a[j * m + i];
                    }
            }
}
