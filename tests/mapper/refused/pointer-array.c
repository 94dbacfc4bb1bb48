// RUN: not %treefork map %s 2>&1 | FileCheck %s
void f(int n, int *restrict *a)
{
#pragma scop
    for (int i = 0; i < n; i++)
// CHECK: pointer-array.c:[[@LINE+1]]:{{[0-9]+}}: error: `a`, an array of pointers
        a[i][0] = 0;
#pragma endscop
}
