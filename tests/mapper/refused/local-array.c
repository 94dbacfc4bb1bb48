// RUN: not %treefork map %s 2>&1 | FileCheck %s
void f(int n, int *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++) {
// CHECK: local-array.c:[[@LINE+1]]:{{[0-9]+}}: error: the array `b`, declared inside
        int b[2] = {i, i};
        a[i] = b[1];
    }
#pragma endscop
}
