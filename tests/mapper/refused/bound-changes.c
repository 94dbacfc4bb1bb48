// RUN: not %treefork map %s 2>&1 | FileCheck %s
void f(int n, int *restrict a)
{
#pragma scop
    n = n + 1;
// CHECK: bound-changes.c:[[@LINE+1]]:{{[0-9]+}}: error: the bound `n`, which the fragment changes, cannot be mapped
    for (int i = 0; i < n; i++)
        a[i] = 0;
#pragma endscop
}
