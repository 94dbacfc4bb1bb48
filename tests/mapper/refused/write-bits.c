// RUN: not %treefork map %s 2>&1 | FileCheck %s
void f(int n, int j, int *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int l = i ^ j;
// CHECK: write-bits.c:[[@LINE+1]]:{{[0-9]+}}: error: a write to `a` with a subscript made by `^` cannot be mapped; which iterations meet
        a[l] = i;
    }
#pragma endscop
}
