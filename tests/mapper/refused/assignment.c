// RUN: not %treefork map %s 2>&1 | FileCheck %s
void f(int n, int *restrict a, int *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++)
// CHECK: assignment.c:[[@LINE+1]]:{{[0-9]+}}: error: an assignment inside an expression
        a[i] = 1 + (b[i] = 0);
#pragma endscop
}
