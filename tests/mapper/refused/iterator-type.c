// RUN: not %treefork map %s 2>&1 | FileCheck %s
void f(int n, int *restrict a)
{
#pragma scop
// CHECK: iterator-type.c:[[@LINE+1]]:{{[0-9]+}}: error: the iterator `i`, which is no integer of 32 or 64 bits, cannot be mapped; count in an int, and subscript arrays by it
    for (short i = 0; i < n; i += 3)
        a[i] = 0;
#pragma endscop
}
