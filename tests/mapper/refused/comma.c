// RUN: not %treefork map %s 2>&1 | FileCheck %s
void f(int n, int *restrict a, int *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++)
// CHECK: comma.c:[[@LINE+1]]:{{[0-9]+}}: error: the comma operator cannot be mapped
        a[i] = (n, i);
#pragma endscop
}
