// RUN: not %treefork map %s 2>&1 | FileCheck %s
static void g(int *x, int y) { *x += y; }
void f(int n, int *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++)
// CHECK: helper-argument.c:[[@LINE+1]]:11: error: an argument for `x` that is no array by its name cannot be mapped; pass the array by its name
        g(&a[i], i);
#pragma endscop
}
