// RUN: not %treefork map %s 2>&1 | FileCheck %s
void f(int n, int *restrict a)
{
    for (int i = 0; i < n; i++) {
#pragma scop
        a[i] = 0;
    }
#pragma endscop
}
// CHECK: cut.c:5:1: error: `#pragma scop` and `#pragma endscop` cut a statement in two; put both into one block
