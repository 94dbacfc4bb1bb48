// A condition above all loops is the host's, and the loop in it is mapped; one below a loop is the thread's.
// RUN: %treefork map %s 2>&1 | FileCheck %s
void f(int n, int a[restrict n][n])
{
#pragma scop
    if (a[0][0])
// CHECK: loop-under-data.c:[[@LINE+1]]:{{[0-9]+}}: warning: a loop under a condition that is not affine
        for (int j = 0; j < n; j++)
            a[1][j] = 0;
    for (int i = 2; i < n; i++)
        if (a[i][0])
            for (int j = 0; j < n; j++)
                a[i][j] = 0;
#pragma endscop
}
// CHECK: if (a[0][0])
// CHECK: meta_schedule
// CHECK: if (i < n) {{[{]?}}
// CHECK-NEXT: if (a[i][0])
