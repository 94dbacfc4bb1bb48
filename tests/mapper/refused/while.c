// RUN: not %treefork map %s 2>&1 | FileCheck %s
void f(int n, int *restrict a)
{
    int i = 0;
#pragma scop
    for (int k = 0; k < n; k++)
// CHECK: while.c:[[@LINE+1]]:{{[0-9]+}}: error: `while` cannot be mapped; write a `for`
        while (a[k] > k)
            a[k]--;
#pragma endscop
}
