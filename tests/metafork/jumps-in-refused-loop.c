// RUN: not %treefork tree --paper %s 2>&1 | FileCheck %s
// A loop whose head is refused hides no jump of its body.
#include <metafork.h>
int next(int k);
void f(int n, int B, int r, float *a)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                // CHECK-DAG: jumps-in-refused-loop.c:[[@LINE+2]]:{{[0-9]+}}: error: a call of `next`
                // CHECK-DAG: jumps-in-refused-loop.c:[[@LINE+4]]:{{[0-9]+}}: error: `goto`
                for (int k = 1; k < r; k = next(k)) {
                    a[p] += 1;
                    if (a[p] > 3)
                        goto out;
                }
            out:;
            }
    }
}
