// RUN: not %treefork tree %s 2>&1 | FileCheck %s
// A loop whose head is refused hides no jump of its body.
#include <metafork.h>
void f(int n, int B, int r, float *a)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                // CHECK: jumps-in-refused-loop.c:[[@LINE+3]]:40: error: a `for` whose step does not add to its variable
                // CHECK: jumps-in-refused-loop.c:[[@LINE+5]]:25: error: `break` is not possible in a region; put the condition
                // CHECK-NOT: error
                for (int k = 1; k < r; k = k * 2) {
                    a[p] += 1;
                    if (a[p] > 3)
                        break;
                }
            }
    }
}
