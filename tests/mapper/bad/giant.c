// RUN: not %treefork map %s 2>&1 | FileCheck %s
void f(long n, int *restrict a)
{
#pragma scop
    for (long i = -9223372036854775807; i < n + 9223372036854775807; i++)
        a[4611686018427387904 * i + 4611686018427387904 *i] = 0;
#pragma endscop
}
// CHECK: giant.c:6:11: error: a write to `a` with a subscript that is not affine cannot be mapped; write it as a sum of iterators and parameters, with an axis for each
