// A macro that ends one statement and holds another: both stay, and the loops around them are mapped.
// RUN: %treefork map %s 2>%t | FileCheck %s
// RUN: FileCheck --check-prefix=SAID --input-file %t %s
#define PLUS(x) + 1; x = 2
void f(int n, int *restrict a, int *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] -= b[i];
    for (int i = 0; i < n; i++)
        b[i] = i PLUS(a[0]);
    for (int i = 0; i < n; i++)
        a[i] += b[i];
#pragma endscop
}
// CHECK: meta_schedule
// CHECK: for (int i = 0; i < n; i++)
// CHECK-NEXT: {{^ *}}b[i] = i PLUS(a[0]);{{$}}
// CHECK: meta_schedule
// SAID: warning: a macro that stands for several statements or for a loop cannot be mapped; write them out; the loop of line 10 stays as it is
