// RUN: not %treefork map %s 2>&1 | FileCheck %s
void f(int n, int *restrict a)
{
#pragma scop
#pragma endscop
}
// CHECK: empty.c:4:1: error: there is nothing between `#pragma scop` and `#pragma endscop`
