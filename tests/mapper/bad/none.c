// RUN: not %treefork map %s 2>&1 | FileCheck %s
void f(int n, int *restrict a)
{
    a[0] = 0;
}
// CHECK: none.c:1:1: error: nothing to map: put `#pragma scop` and `#pragma endscop` around the loops, or `#pragma target` before one
