// The condition is the host's, and the loop in it is mapped.
// RUN: %treefork map %s 2>&1 | FileCheck %s
void f(int n, int a[restrict n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        if (a[i][0])
// CHECK: loop-under-data.c:[[@LINE+1]]:{{[0-9]+}}: warning: a loop under a condition that is not affine
            for (int j = 0; j < n; j++)
                a[i][j] = 0;
#pragma endscop
}
// CHECK: if (a[i][0])
// CHECK: meta_schedule
