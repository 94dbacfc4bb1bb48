// RUN: not %treefork map %s 2>&1 | FileCheck %s
void f(int n, int *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++) {
// CHECK: pointer-moves.c:[[@LINE+1]]:{{[0-9]+}}: error: the pointer `a`, which moves
        a[0] = 0;
        if (i % 3)
            a++;
    }
#pragma endscop
}
