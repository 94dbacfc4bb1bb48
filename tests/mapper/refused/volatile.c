// RUN: not %treefork map %s 2>&1 | FileCheck %s
void f(int n, int *restrict a)
{
    volatile int v = 1;
#pragma scop
    for (int i = 0; i < n; i++)
// CHECK: volatile.c:[[@LINE+1]]:{{[0-9]+}}: error: `v` (volatile) cannot be mapped
        a[i] = v;
#pragma endscop
}
