// RUN: not %treefork map %s 2>&1 | FileCheck %s
static int factor;
// CHECK: helper-changes.c:[[@LINE+1]]:{{[0-9]+}}: error: `factor`, which the fragment changes, cannot be mapped
static int g(int x) { return x * factor; }
void f(int n, int *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        factor = a[i];
        a[i] = g(i);
    }
#pragma endscop
}
