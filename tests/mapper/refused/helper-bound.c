// RUN: not %treefork map %s 2>&1 | FileCheck %s
// One array under two names: what the loop stores to bounds it. (As `fill` returns from inside an inner `if` its loop is not put here.)
static void fill(int *x, const int *n)
{
    for (int k = 0; k < n[0]; k++)
// CHECK: helper-bound.c:[[@LINE-1]]:25: error: a loop in a called function that stores to what bounds it, in `a` cannot be mapped; {{.*}} (in `fill`, which line 19 calls)
        x[k] = 3;
    if (x[7] > 3) {
        x[6] = 1;
        if (x[5])
            return;
    }
    x[7] = 4;
}
void f(int n, int a[restrict n][8])
{
#pragma scop
    for (int i = 0; i < n; i++)
        fill(a[i], &a[i][0]);
#pragma endscop
}
