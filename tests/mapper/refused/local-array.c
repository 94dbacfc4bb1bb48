// A local array is one of a thread where a loop stands around it and its size is fixed and small.
// RUN: %treefork map %s 2>&1 | FileCheck %s
void f(int n, int *restrict a)
{
#pragma scop
// CHECK: local-array.c:[[@LINE+1]]:{{[0-9]+}}: warning: the array `b`, declared inside
    int b[2] = {0, 1};
    for (int i = 0; i < n; i++)
        a[i] = b[1];
#pragma endscop
}
void g(int n, int *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++) {
// CHECK: local-array.c:[[@LINE+1]]:{{[0-9]+}}: warning: the array `b`, declared inside
        int b[n];
        b[0] = i;
        a[i] = b[0];
    }
#pragma endscop
}
void h(int n, int *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++) {
// CHECK: local-array.c:[[@LINE+1]]:{{[0-9]+}}: warning: the array `b`, declared inside
        int b[17][241];
        b[0][0] = i;
        a[i] = b[0][0];
    }
#pragma endscop
}
void k(int n, int *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++) {
// CHECK: local-array.c:[[@LINE+1]]:{{[0-9]+}}: warning: the array `b`, declared inside
        int b[257] = {i};
        a[i] = b[0];
    }
#pragma endscop
}
