// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float *a, float *b)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                for (int k = 0; k < 9; k++) {
                    if (k > p)
// CHECK: continue.c:[[@LINE+1]]:25: error: `continue` is not possible in a region; put the rest of the body into an `if`
                        continue;
                    a[p] += k;
                }
            }
    }
}
