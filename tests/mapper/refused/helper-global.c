// RUN: not %treefork map %s 2>&1 | FileCheck %s
static int calls;
static int g(int x)
{
// CHECK: helper-global.c:[[@LINE+1]]:5: error: an assignment in a called function to what is declared outside it cannot be mapped; let called functions
    calls++;
    return x;
}
void f(int n, int *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = g(i);
#pragma endscop
}
