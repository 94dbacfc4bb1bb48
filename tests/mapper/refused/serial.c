// RUN: not %treefork map --no-scans %s 2>&1 | FileCheck %s
void f(int n, int *restrict a)
{
// CHECK: serial.c:[[@LINE+1]]:{{[0-9]+}}: error: a fragment of which no loop is independent
#pragma scop
    for (int i = 1; i < n; i++)
        a[i] += a[i - 1];
#pragma endscop
}
