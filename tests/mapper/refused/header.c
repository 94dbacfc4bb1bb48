// RUN: not %treefork map %s 2>&1 | FileCheck %s
void f(int n, int *restrict a)
{
#pragma scop
// CHECK: header.c:[[@LINE+1]]:{{[0-9]+}}: error: a `for` that is not `for (i = a; i < b; i += c)`
    for (int i = 1; i < n; i *= 2)
        a[i] = 0;
#pragma endscop
}
