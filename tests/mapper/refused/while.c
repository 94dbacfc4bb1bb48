// A `while` around what is marked, or in a loop that nobody shares out, is the host's.
// RUN: not %treefork map --strict %s 2>&1 | FileCheck %s
void f(int n, int *restrict a)
{
#pragma scop
// CHECK: while.c:[[@LINE+1]]:{{[0-9]+}}: error: `while` cannot be mapped; write a `for`
    while (a[0] > 0)
        for (int k = 0; k < n; k++)
            a[k]--;
#pragma endscop
}
void g(int n, int *restrict a, int *restrict b)
{
#pragma scop
    for (int t = 0; t < n; t++) {
        for (int k = 0; k < n; k++)
            a[k] += b[0];
// CHECK: while.c:[[@LINE+1]]:{{[0-9]+}}: error: `while` cannot be mapped; write a `for`
        while (a[t] > b[0])
            b[0] = b[0] + a[t];
    }
#pragma endscop
}
