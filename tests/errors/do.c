// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float *a, float *b)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
// CHECK: do.c:[[@LINE+1]]:17: error: a `do` loop is not possible in a region; write a `for` whose trip count is known before it starts
                do {
                    a[p] /= 2;
                } while (a[p] > 1);
            }
    }
}
