// RUN: not %treefork map %s 2>&1 | FileCheck %s
static int g(int x)
{
// CHECK: helper-while.c:[[@LINE+1]]:5: error: `while` cannot be mapped; write a `for` whose trip count is known before it starts (in `g`, which line 13 calls)
    while (x > 3)
        x -= 2;
    return x;
}
void f(int n, int *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = g(i);
#pragma endscop
}
