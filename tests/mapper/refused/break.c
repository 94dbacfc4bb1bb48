// RUN: not %treefork map %s 2>&1 | FileCheck %s
void f(int n, int *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        a[i] = 0;
        if (a[i] > 3)
// CHECK: break.c:[[@LINE+1]]:{{[0-9]+}}: error: `break` cannot be mapped
            break;
    }
#pragma endscop
}
