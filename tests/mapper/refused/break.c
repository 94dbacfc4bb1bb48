// RUN: not %treefork map %s 2>&1 | FileCheck %s
void f(int n, int *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        a[i] = 0;
        if (a[i] > 3)
// CHECK: break.c:[[@LINE+1]]:{{[0-9]+}}: error: `break` cannot be mapped; find out before the loop which iteration is the last, and let the loop's bound say so
            break;
    }
#pragma endscop
}
