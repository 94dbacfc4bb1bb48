// RUN: not %treefork map %s 2>&1 | FileCheck %s
static int g(int x)
{
// CHECK: helper-recursion.c:[[@LINE+1]]:{{[0-9]+}}: error: recursion of `g` cannot be mapped; let called functions compute from their arguments
    return x < 2 ? x : g(x - 1) + 1;
}
void f(int n, int *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = g(i);
#pragma endscop
}
