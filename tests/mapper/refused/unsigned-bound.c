// RUN: not %treefork map %s 2>&1 | FileCheck %s
void f(unsigned n, int *restrict a)
{
#pragma scop
// CHECK: unsigned-bound.c:[[@LINE+1]]:{{[0-9]+}}: error: an unsigned expression that may wrap cannot be mapped; compute it in `int` or `long`
    for (unsigned i = 0; i < 2 - n; i++)
        a[i] = 0;
#pragma endscop
}
