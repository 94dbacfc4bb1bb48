// The declaration stays; the loop is mapped.
// RUN: %treefork map %s 2>&1 | FileCheck %s
int f(int n, const int *restrict a, int *restrict b)
{
#pragma scop
    int last = 3;
    for (int i = 0; i < n; i++)
        b[i] = a[i] + last;
#pragma endscop
// CHECK: declared-inside.c:[[@LINE+1]]:12: warning: the variable `last`, which is set in the fragment and used behind it, cannot be mapped
    return last;
}
// CHECK: int last = 3;
// CHECK: meta_schedule
