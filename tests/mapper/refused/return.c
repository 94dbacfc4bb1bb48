// RUN: not %treefork map %s 2>&1 | FileCheck %s
void f(int n, int *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        if (a[i])
// CHECK: return.c:[[@LINE+1]]:{{[0-9]+}}: error: `return` cannot be mapped
            return;
#pragma endscop
}
