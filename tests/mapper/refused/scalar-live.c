// RUN: not %treefork map %s 2>&1 | FileCheck %s
int f(int n, const int *restrict a, int *restrict b)
{
    int last = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
// CHECK: scalar-live.c:[[@LINE+1]]:{{[0-9]+}}: error: the scalar `last`, which carries a value
        last = a[i];
        b[i] = last;
    }
#pragma endscop
    return last;
}
