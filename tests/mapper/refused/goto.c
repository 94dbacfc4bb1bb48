// RUN: not %treefork map %s 2>&1 | FileCheck %s
void f(int n, int *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        if (a[i])
// CHECK: goto.c:[[@LINE+1]]:{{[0-9]+}}: error: `goto` cannot be mapped
            goto end;
#pragma endscop
end:
    a[0] = 1;
}
