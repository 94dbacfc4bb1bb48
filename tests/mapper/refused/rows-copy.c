// RUN: not %treefork map %s 2>&1 | FileCheck %s
void f(int n, int m, double **a, double **b)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
// CHECK: rows-copy.c:[[@LINE+1]]:{{[0-9]+}}: error: `b`, an array of pointers whose rows the text would have to copy
            a[i][j] = 2 * b[i][j];
#pragma endscop
}
