// RUN: not %treefork map %s 2>&1 | FileCheck %s
void f(int n, double *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++) {
// CHECK: generic.c:[[@LINE+1]]:{{[0-9]+}}: error: `_Generic` cannot be mapped; call the function for the type directly
        a[i] = _Generic(n, int: 1, default: 2) * a[i];
    }
#pragma endscop
}
