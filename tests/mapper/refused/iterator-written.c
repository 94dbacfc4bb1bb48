// RUN: not %treefork map %s 2>&1 | FileCheck %s
void f(int n, int *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        a[i] = 0;
// CHECK: iterator-written.c:[[@LINE+1]]:{{[0-9]+}}: error: an assignment to the iterator `i` in the body
        i++;
    }
#pragma endscop
}
