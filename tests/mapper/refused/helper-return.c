// RUN: not %treefork map %s 2>&1 | FileCheck %s
static int g(int x)
{
// CHECK: helper-return.c:[[@LINE+1]]:5: error: `return` inside a loop cannot be mapped
    for (int k = 0; k < 9; k++)
        if (k * k > x)
            return k;
    return 9;
}
void f(int n, int *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = g(i);
#pragma endscop
}
