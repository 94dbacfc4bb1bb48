// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float *a, float *b)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            for (int k = 0; k < 9; k++) {
                if (k > n)
// CHECK: break.c:[[@LINE+1]]:21: error: `break` is not possible in a region; put the loop into a band, where a thread may end it, or let the loop's bound say where it ends
                    break;
                meta_for (int j = 0; j < B; j++)
                    a[i * B + j] += k;
            }
    }
}
