// RUN: not %treefork map --strict %s 2>&1 | FileCheck %s
double scale;
void f(int n, double *a, double *restrict b, const int *restrict at)
{
#pragma scop
    for (int i = 0; i < n; i++)
        b[i] = a[at[i]];
    for (int i = 0; i < n; i++)
// CHECK: overlap-scalar.c:[[@LINE+1]]:16: error: that `a` and `scale` may overlap cannot be mapped; declare pointers
        a[i] = scale;
#pragma endscop
}
