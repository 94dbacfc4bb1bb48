// RUN: not %treefork map %s 2>&1 | FileCheck %s
void f(unsigned n, int *restrict a)
{
#pragma scop
// CHECK: unsigned-bound.c:[[@LINE+1]]:{{[0-9]+}}: error: the unsigned iterator `i`, which may wrap
    for (int i = 0; i < n; i++)
        a[i] = 0;
#pragma endscop
}
