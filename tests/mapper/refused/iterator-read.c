// RUN: not %treefork map %s 2>&1 | FileCheck %s
int f(int n, int *restrict a)
{
    int i;
#pragma scop
    for (i = 0; i < n; i++)
        a[i] = 0;
#pragma endscop
// CHECK: iterator-read.c:[[@LINE+1]]:{{[0-9]+}}: error: the iterator `i`, which is used outside its loops
    return i;
}
