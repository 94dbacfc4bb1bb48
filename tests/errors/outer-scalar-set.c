// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float *a, float *b)
{
    float most = 0;
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++)
                if (a[i * B + j] > most)
// CHECK: outer-scalar-set.c:[[@LINE+1]]:21: error: writing `most`, which is declared outside, is not possible in a region; store the result into an element of an array; a minimum or maximum over all iterations is named in meta_reduce
                    most = a[i * B + j];
    }
    b[0] = most;
}
