// RUN: not %treefork map %s 2>&1 | FileCheck %s
void f(int n, long *restrict a, const int *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++)
// CHECK: address.c:[[@LINE+1]]:{{[0-9]+}}: error: an address (`&`) cannot be mapped; use array names with subscripts
        a[i] = &b[i] - b;
#pragma endscop
}
