// RUN: not %treefork map %s 2>&1 | FileCheck %s
void f(int n, int *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = 1
// CHECK: directive.c:[[@LINE+1]]:1: error: a directive of the preprocessor inside
#ifdef ONE
            + 1
#endif
            + 2;
#pragma endscop
}
