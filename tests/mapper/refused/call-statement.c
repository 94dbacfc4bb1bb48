// RUN: not %treefork map %s 2>&1 | FileCheck %s
void g(int);
void f(int n, int *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        a[i] = 0;
// CHECK: call-statement.c:[[@LINE+1]]:{{[0-9]+}}: error: a call for its effect cannot be mapped
        g(i);
    }
#pragma endscop
}
