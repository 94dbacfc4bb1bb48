// RUN: not %treefork map %s 2>&1 | FileCheck %s
void f(int n, double **a, double *x)
{
#pragma scop
    for (int t = 0; t < 9; t++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j <= i; j++)
// CHECK: rows-box.c:[[@LINE+1]]:{{[0-9]+}}: error: `a`, an array of pointers of whose rows not all
                x[i] += a[i][j];
#pragma endscop
}
