// RUN: not %treefork map --strict %s 2>&1 | FileCheck %s
int f(int n, double *restrict a, double *restrict b)
{
    int k = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        a[k++] = b[i];
// CHECK: last-value.c:[[@LINE+1]]:{{[0-9]+}}: error: the last value of `k`, which a loop of the fragment moves, cannot be mapped
    for (int i = 0; i < n; i++)
        b[i] = k;
#pragma endscop
    return k;
}
