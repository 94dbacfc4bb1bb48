// The variable of a loop never passes its first value: downwards i <= n, upwards k >= n, if the value stays and cannot have wrapped.
// RUN: %treefork -d access -D "HEAD=int i = n; i > 0; i--" %s | FileCheck %s
// RUN: %treefork -d access -D "HEAD=int i = n - 1; i >= 0; i -= 3" %s | FileCheck %s
// RUN: %treefork -d access -D "HEAD=unsigned i = u; i > 0; i--" -D SIZE=u %s | FileCheck %s
// RUN: %treefork -d access -D "HEAD=int k = n; k < 2 * n; k++" -D "BEHIND=k - n" %s | FileCheck %s
// RUN: %treefork -d access -D "HEAD=int i = n; i > 0; i += BACK" %s | FileCheck %s
// RUN: %treefork -d access -D "HEAD=int k = n; k < 2 * n; k -= BACK" -D "BEHIND=k - n" %s | FileCheck %s
// CHECK: parallel: proved{{$}}
// RUN: not %treefork -d access -D "HEAD=int i = n + 1; i > 0; i--" %s 2>&1 | FileCheck --check-prefix=NOT %s
// RUN: not %treefork -d access -D "HEAD=int i = n; i > 0; i--, n--" %s 2>&1 | FileCheck --check-prefix=NOT %s
// RUN: not %treefork -d access -D "HEAD=int i = n; i > 0; i--" -D "AND=n--;" %s 2>&1 | FileCheck --check-prefix=NOT %s
// RUN: not %treefork -d access -D "HEAD=unsigned i = u - 1; i > 0; i--" -D SIZE=u %s 2>&1 | FileCheck --check-prefix=NOT %s
// RUN: not %treefork -d access -D "HEAD=unsigned i = u; i > 0; i -= 3" -D SIZE=u %s 2>&1 | FileCheck --check-prefix=NOT %s
// RUN: not %treefork -d access -D "HEAD=int i = big; i > 0; i--" %s 2>&1 | FileCheck --check-prefix=NOT %s
// NOT: error: iterations of meta_for conflict
#include <metafork.h>
#ifndef SIZE
#define SIZE n
#endif
#ifndef BEHIND
#define BEHIND SIZE - i
#endif
#ifndef AND
#define AND
#endif
enum { BACK = -1 };

void window(int n, unsigned u, long big, int m, int B, double *x)
{
    for (HEAD) {
        meta_schedule {
            meta_for (int b = 0; b < (m + B - 1) / B; b++)
                meta_for (int t = 0; t < B; t++)
                    if (b * B + t < m)
                        x[b * B + t] += x[m + (int)(BEHIND)];
        }
        AND
    }
}
