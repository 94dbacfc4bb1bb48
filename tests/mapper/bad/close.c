// RUN: not %treefork map %s 2>&1 | FileCheck %s
void f(int n, int *restrict a)
{
    for (int i = 0; i < n; i++)
        a[i] = 0;
#pragma endscop
}
// CHECK: close.c:6:1: error: `#pragma endscop` without a `#pragma scop` before it
