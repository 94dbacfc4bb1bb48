// RUN: not %treefork map %s 2>&1 | FileCheck %s
void f(int n, int *restrict *a)
{
#pragma scop
    for (int i = 0; i < n; i++)
// CHECK: dereference.c:[[@LINE+1]]:{{[0-9]+}}: error: `*` on a pointer whose place in an array is not known cannot be mapped
        **(a + i) = 0;
#pragma endscop
}
