// RUN: not %treefork map %s 2>&1 | FileCheck %s
void f(int n, const int *restrict m, int *restrict a)
{
#pragma scop
// CHECK: bound-data.c:[[@LINE+1]]:{{[0-9]+}}: error: the bound of a loop that is not affine
    for (int i = 0; i < m[n]; i++)
        a[i] = 0;
#pragma endscop
}
