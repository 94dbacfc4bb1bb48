// RUN: not %treefork map %s 2>&1 | FileCheck %s
void f(int n, const int *m, const int *a, int *b)
{
#pragma scop
    for (int i = 0; i < n; i++)
// CHECK: overlap.c:[[@LINE+1]]:{{[0-9]+}}: error: that `a` and `b` may overlap cannot be mapped; if they never do, declare pointers
        b[i] = a[m[i]];
#pragma endscop
}
