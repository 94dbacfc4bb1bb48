// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float *a, float *b)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
// CHECK: for-doubling.c:[[@LINE+1]]:36: error: a `for` whose step does not add to its variable is not possible in a region; write `for (int k = a; k < b; k += c)`
            for (int k = 1; k < 9; k *= 2)
                meta_for (int j = 0; j < B; j++)
                    a[i * B + j] += k;
    }
}
