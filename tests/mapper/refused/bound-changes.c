// The statement that changes the bound stays; the loop behind it is mapped.
// RUN: %treefork map %s 2>&1 | FileCheck %s
void f(int n, int *restrict a)
{
#pragma scop
    n = n + 1;
// CHECK: bound-changes.c:[[@LINE+1]]:{{[0-9]+}}: warning: the bound `n`, which the fragment changes, cannot be mapped; mark what stands before the change and what stands behind it apart; the statement of line [[@LINE-1]] stays as it is
    for (int i = 0; i < n; i++)
        a[i] = 0;
#pragma endscop
}
// CHECK: n = n + 1;
// CHECK: meta_schedule
