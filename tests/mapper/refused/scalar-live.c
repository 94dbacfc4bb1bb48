// RUN: not %treefork map %s 2>&1 | FileCheck %s
void f(int n, const int *restrict a, int *restrict b, int *restrict c)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int last;
        for (int j = 0; j < n; j++) {
// CHECK: scalar-live.c:[[@LINE+2]]:{{[0-9]+}}: error: the scalar `last`, which carries a value between iterations, cannot be mapped
            if (j > 0)
                c[i * n + j] = last;
            last = a[j];
        }
    }
#pragma endscop
}
