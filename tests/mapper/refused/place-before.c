// RUN: not %treefork map %s 2>&1 | FileCheck %s
// From 1, as in Numerical Recipes: what stands before the name is not known.
static double last(const double *x, int i) { return x[i]; }
void f(int n, double *restrict a, double *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++)
// CHECK: place-before.c:3:53: error: a pointer to a place that may lie before `a` begins cannot be mapped; let it begin in the array, and add the rest in subscripts
        b[i] = last(a - 1, i);
#pragma endscop
}
/* The caller may give a place inside of an array. */
void g(int n, double *restrict a, double *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++)
// CHECK: place-before.c:[[@LINE+1]]:{{[0-9]+}}: error: a pointer to a place that may lie before `b` begins
        a[i] = b[i - 1];
#pragma endscop
}
