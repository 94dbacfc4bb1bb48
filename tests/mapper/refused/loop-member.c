// RUN: not %treefork map --strict %s 2>&1 | FileCheck %s
struct pair { double x, y; };
void f(int n, int m, const int *restrict at, double (*restrict a)[100], double *restrict b)
{
#pragma scop
// CHECK: loop-member.c:[[@LINE+1]]:{{[0-9]+}}: error: `p_x`, a member of a structure that a loop around declares, cannot be mapped
    for (int i = 0; i < n; i++) {
        struct pair p = {b[i], 2};
        b[at[i]] = p.y;
        for (int j = 0; j < 100; j++)
            a[i][j] = p.x;
    }
#pragma endscop
}
