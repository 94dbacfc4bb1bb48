// RUN: not %treefork map %s 2>&1 | FileCheck %s
#define SWAP(x, y) { int c = x; x = y; y = c; }
void f(int n, int *restrict a, int *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++)
// CHECK: macro.c:[[@LINE+1]]:{{[0-9]+}}: error: a macro that stands for several statements
        SWAP(a[i], b[i])
#pragma endscop
}
