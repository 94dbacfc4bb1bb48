// RUN: not %treefork map %s 2>&1 | FileCheck %s
double f(int n, const double *restrict a)
{
    double most = 0;
    int place = 0;
#pragma scop
    for (int i = 0; i < n; i++)
// CHECK: negated.c:[[@LINE+1]]:{{[0-9]+}}: error: a condition `!(e <= m)` of floating numbers, which holds of what is no number, cannot be mapped; write `e > m` (or `<`), which has one result in any order, or map with --reassociate
        if (!(a[i] <= most)) {
            most = a[i];
            place = i;
        }
#pragma endscop
    return most + place;
}
double g(int n, const double *restrict a)
{
    double least = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
// CHECK: negated.c:[[@LINE+1]]:{{[0-9]+}}: error: a condition `!(e <= m)`
        if (a[i] >= least)
            continue;
        least = a[i];
    }
#pragma endscop
    return least;
}
