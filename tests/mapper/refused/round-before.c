// RUN: not %treefork map %s 2>&1 | FileCheck %s
void f(int n, int before, double (*restrict a)[100], const double (*restrict b)[100])
{
// CHECK: round-before.c:[[@LINE+1]]:{{[0-9]+}}: error: `before`, which has a value of the round before, cannot be mapped
    for (int i = 0; i < n; i++) {
#pragma scop
        for (int j = 0; j < 100; j++)
            a[i][j] = b[before][j];
#pragma endscop
        before = i;
    }
}
