// RUN: not %treefork map %s 2>&1 | FileCheck %s
static void g(int *x, int y) { *x += y; }
void f(int n, int *restrict a, int *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++)
// CHECK: helper-argument.c:[[@LINE+1]]:11: error: an argument for `x` that is no place in an array cannot be mapped; write it as `a + i`, `&a[i]` or a row `a[i]`, with the array's name
        g(i % 2 ? a : b, i);
#pragma endscop
}
