// RUN: not %treefork map %s 2>&1 | FileCheck %s
double scale;
void f(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++)
// CHECK: overlap-scalar.c:[[@LINE+1]]:17: error: that `a` and `scale` may overlap cannot be mapped; if they never do, declare pointers
        a[i] *= scale;
#pragma endscop
}
