// RUN: not %treefork map %s 2>&1 | FileCheck %s
int g(int);
void f(int n, int *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++)
// CHECK: call.c:[[@LINE+1]]:{{[0-9]+}}: error: a call of `g` cannot be mapped; only functions of <math.h> and those
        a[i] = g(i);
#pragma endscop
}
