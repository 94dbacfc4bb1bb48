// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, unsigned m, float *a, float *b)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++)
// CHECK: for-unsigned-ahead.c:[[@LINE+1]]:38: error: a `for` whose condition adds to its unsigned variable is not possible in a region; write `for (int k = a; k < b; k += c)`
                for (unsigned k = 0; k + 1 < m; k++)
                    b[i * B + j] += a[k];
    }
}
