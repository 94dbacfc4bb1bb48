// Regions have no arrays of _Bool.
// RUN: not %treefork map %s 2>&1 | FileCheck %s
#include <stdbool.h>
void f(int n, bool *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++)
// CHECK: bool-array.c:[[@LINE+1]]:{{[0-9]+}}: error: a value of type `{{.*}}` cannot be mapped; use integers
        a[i] = i > 3;
#pragma endscop
}
