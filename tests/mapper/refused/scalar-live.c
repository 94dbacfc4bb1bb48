// RUN: not %treefork map %s 2>&1 | FileCheck %s
#define LAST last
void f(int n, const int *restrict a, int *restrict b, int *restrict c)
{
    int last = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
// CHECK: scalar-live.c:[[@LINE+1]]:{{[0-9]+}}: error: the scalar `last`, which carries a value between iterations, cannot be mapped
        c[i] = LAST;
        last = a[i];
        b[i] = 2;
    }
#pragma endscop
}
