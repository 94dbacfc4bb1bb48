// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float *a, float *b)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++) {
            int k = n;
// CHECK: do.c:[[@LINE+1]]:13: error: a `do` loop is not possible in a region; outside of bands write a `for` whose trip count, 1 or more, is known before it starts
            do {
                meta_for (int j = 0; j < B; j++)
                    a[i * B + j] += k;
                k /= 2;
            } while (k > 1);
        }
    }
}
