// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float *a, float *b)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
// CHECK: literal-step.c:[[@LINE+1]]:45: error: a `for` with a step that is neither a literal nor a parameter is not possible in a region; write `for (int k = a; k < b; k += c)`
                for (int k = 0; k < 9; k += 0)
                    a[p] += k;
            }
    }
}
