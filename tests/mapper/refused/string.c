// RUN: not %treefork map %s 2>&1 | FileCheck %s
void f(int n, char *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++)
// CHECK: string.c:[[@LINE+1]]:{{[0-9]+}}: error: a string literal cannot be mapped
        a[i] = "ab"[0];
#pragma endscop
}
