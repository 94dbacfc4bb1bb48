// RUN: not %treefork map %s 2>&1 | FileCheck %s
double f(int n, const double *restrict a, const double *restrict b)
{
    double most = 0, other = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        if (a[i] > most) {
            most = a[i];
// CHECK: along.c:[[@LINE+1]]:{{[0-9]+}}: error: `other`, which iterations set with the least or greatest value, cannot be mapped; keep the iterators of the place alone, as in `k = i`, and look the rest up behind the loop
            other = b[i];
        }
#pragma endscop
    return most + other;
}
