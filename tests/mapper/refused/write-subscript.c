// RUN: not %treefork map %s 2>&1 | FileCheck %s
void f(int n, int *restrict a, const int *restrict m)
{
#pragma scop
    for (int i = 0; i < n; i++)
// CHECK: write-subscript.c:[[@LINE+1]]:{{[0-9]+}}: error: a write to `a` with a subscript that is not affine
        a[m[i]] = 0;
#pragma endscop
}
