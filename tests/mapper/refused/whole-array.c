// RUN: not %treefork map %s 2>&1 | FileCheck %s
void f(int n, int a[restrict n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
// CHECK: whole-array.c:[[@LINE+1]]:{{[0-9]+}}: error: `a` without all its subscripts cannot be mapped
        a[i][0] = a[i] != 0;
#pragma endscop
}
