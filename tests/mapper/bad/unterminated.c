// RUN: not %treefork map %s 2>&1 | FileCheck %s
void f(int n, int *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = 0;
}
// CHECK: unterminated.c:4:1: error: `#pragma scop` without its `#pragma endscop`
