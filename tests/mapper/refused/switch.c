// RUN: not %treefork map %s 2>&1 | FileCheck %s
void f(int n, int *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++)
// CHECK: switch.c:[[@LINE+1]]:{{[0-9]+}}: error: `switch` cannot be mapped
        switch (a[i]) {
        case 3: a[i] = 2;
        default: a[i] = 1;
        }
#pragma endscop
}
