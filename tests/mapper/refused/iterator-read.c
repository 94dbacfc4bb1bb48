// RUN: not %treefork map %s 2>&1 | FileCheck %s
int f(int n, int *restrict a)
{
    int i, j;
#pragma scop
    for (i = 0; i < n; i++)
        for (j = 0; j < i; j++)
// CHECK: iterator-read.c:[[@LINE-1]]:{{[0-9]+}}: error: the iterator `j`, which is used outside its loops
            a[i + j] = a[i + j - 1] + 1;
#pragma endscop
    return j;
}
