// Loops of a statement have headers that a region takes; others stay on the host.
// RUN: not %treefork map %s 2>&1 | FileCheck %s
void f(int n, const int *restrict m, int *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        if (m[i] > 0)
// CHECK: inner-header.c:[[@LINE+1]]:{{[0-9]+}}: error: a `for` that is not `for (i = a; i < b; i += c)`
            for (int p = 1;; p++)
                a[i] += p;
#pragma endscop
}
void g(int n, int *restrict m, int *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++)
// CHECK: inner-header.c:[[@LINE+1]]:{{[0-9]+}}: error: the bound of a loop that is not affine
        for (int p = 0; p < m[i]; p++)
            m[i] -= a[i];
#pragma endscop
}
