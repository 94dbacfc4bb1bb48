// RUN: not %treefork map %s 2>&1 | FileCheck %s
void f(int n, long double *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++)
// CHECK: type.c:[[@LINE+1]]:{{[0-9]+}}: error: a value of type `long double` cannot be mapped
        a[i] = 0;
#pragma endscop
}
