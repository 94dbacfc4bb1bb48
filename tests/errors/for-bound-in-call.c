// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
static int count(const int *limit) { return limit[0]; }
void f(int m, int *restrict a)
{
    meta_schedule {
        meta_for (int i = 0; i < m / 8; i++)
            meta_for (int k = 0; k < 8; k++) {
                int limit[1], sum = 0;
                limit[0] = 5;
// CHECK: for-bound-in-call.c:[[@LINE+1]]:37: error: a `for` whose bound changes while it runs is not possible in a region; copy it to a variable before the loop
                for (int t = 0; t < count(limit); t++) {
                    limit[0] = 3;
                    sum += 1;
                }
                a[i * 8 + k] = sum;
            }
    }
}
