// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
typedef float quad __attribute__((vector_size(16)));
void f(int n, int B, quad *a)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
// CHECK: vector.c:[[@LINE+1]]:24: error: a value of type `quad` (vector) is not possible in a region; use arrays of scalars
                a[p] = a[p] + a[p];
            }
    }
}
