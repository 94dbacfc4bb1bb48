// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int *n, int B, float *a)
{
    meta_schedule {
// CHECK: grid-extent-array.c:[[@LINE+1]]:9: error: the extent of a meta_for must be given by parameters: it may not depend on another loop, on an array element or on a variable computed in the region; take the greatest extent and put the body under an `if`
        meta_for (int i = 0; i < n[0]; i++)
            meta_for (int j = 0; j < B; j++)
                a[i * B + j] = 0;
    }
}
