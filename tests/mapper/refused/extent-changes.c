// RUN: not %treefork map %s 2>&1 | FileCheck %s
void f(int n, int a[restrict n][n])
{
    n = n / 2;
#pragma scop
    for (int i = 0; i < n; i++)
// CHECK: extent-changes.c:[[@LINE+1]]:{{[0-9]+}}: error: `a`, an extent of which the function changes, cannot be mapped
        a[i][0] = 0;
#pragma endscop
}
