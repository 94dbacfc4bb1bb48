// RUN: not %treefork map --strict %s 2>&1 | FileCheck %s
double scale;
void f(int n, double *a, double *restrict b, const int *restrict at)
{
#pragma scop
    for (int i = 0; i < n; i++)
        b[i] = a[at[i]];
    for (int i = 0; i < n; i++)
// CHECK: overlap-scalar.c:[[@LINE+1]]:16: error: that `a` and `scale` may overlap cannot be mapped; if they never do, copy the variable to a local one before the fragment, or declare the pointer `restrict`
        a[i] = scale;
#pragma endscop
}
/* A scalar that the loop sets must not be a copy. */
double most;
void g(int n, double *a, double *restrict b, const int *restrict at)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        b[i] = a[at[i]];
        a[i] = 0;
// CHECK: overlap-scalar.c:[[@LINE+1]]:9: error: that `a` and `most` may overlap cannot be mapped; if they never do, declare pointers
        most = i;
    }
#pragma endscop
}
