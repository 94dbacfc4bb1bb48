// RUN: not %treefork map %s 2>&1 | FileCheck %s
// q may point to n, which the pointer was made of: p is not a + n any more.
int n;
void f(int m, double *restrict a, int *q)
{
    double *p = a + n;
    q[0] = 5;
#pragma scop
    for (int i = 0; i < m; i++)
// CHECK: moved-start.c:[[@LINE+1]]:{{[0-9]+}}: error: `*` on a pointer whose place in an array is not known cannot be mapped
        *p++ = i;
#pragma endscop
}
