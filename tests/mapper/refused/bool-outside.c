// Regions take no _Bool from outside; one of an iteration is its own.
// RUN: not %treefork map %s 2>&1 | FileCheck --implicit-check-not=error: %s
#include <stdbool.h>
void f(int n, bool back, int *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        bool odd = i & 1;
// CHECK: bool-outside.c:[[@LINE+1]]:{{[0-9]+}}: error: the _Bool `back` from outside cannot be mapped; copy it to an int before the fragment
        a[i] = back && odd ? -a[i] : a[i];
    }
#pragma endscop
}
