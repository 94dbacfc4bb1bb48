// RUN: not %treefork map %s 2>&1 | FileCheck %s
void f(int n, int *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++) {
// CHECK: local-static.c:[[@LINE+1]]:{{[0-9]+}}: error: the static variable `b`
        static int b = 1;
        a[i] = b;
    }
#pragma endscop
}
