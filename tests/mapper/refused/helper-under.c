// RUN: not %treefork map %s 2>&1 | FileCheck %s
static int g(int x)
{
    int y = x;
    return y * y;
}
void f(int n, int *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++)
// CHECK: helper-under.c:[[@LINE+1]]:{{[0-9]+}}: error: a call of `g`, which has several statements, under `&&`, `||` or `?:`, cannot be mapped; call it before, in an `if` where it is called under a condition
        a[i] = a[i] > 0 ? g(i) : 0;
#pragma endscop
}
