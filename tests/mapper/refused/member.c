// RUN: not %treefork map %s 2>&1 | FileCheck %s
struct s { int x; };
void f(int n, struct s *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++)
// CHECK: member.c:[[@LINE+1]]:{{[0-9]+}}: error: a structure member cannot be mapped
        a[i].x = 0;
#pragma endscop
}
