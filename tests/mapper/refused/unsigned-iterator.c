// RUN: not %treefork map %s 2>&1 | FileCheck %s
void f(unsigned n, int *restrict a)
{
#pragma scop
// CHECK: unsigned-iterator.c:[[@LINE+1]]:{{[0-9]+}}: error: the unsigned iterator `i`, which may wrap
    for (unsigned i = n; i > 3; i -= 2)
        a[i] = 0;
#pragma endscop
}
