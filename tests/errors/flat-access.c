// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float a[n][n], float *b)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                a[0][i * B + j] = b[i * B + j];
// CHECK: flat-access.c:[[@LINE+1]]:17: error: a value of type `float[n]` (array) is not possible in a region; give every element a subscript in each dimension
                a[1] == a[2];
            }
    }
}
