// RUN: not %treefork map --strict %s 2>&1 | FileCheck %s
void f(int n, int m, int *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= m; j++)
// CHECK: beyond-pitch.c:[[@LINE+1]]:{{[0-9]+}}: error: a write to `a` with a subscript that is not affine cannot be mapped
            a[i * m + j] = i;
#pragma endscop
}
