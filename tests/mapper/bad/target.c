// RUN: not %treefork map %s 2>&1 | FileCheck %s
void f(int n, int *restrict a)
{
#pragma target
    a[0] = 0;
}
// CHECK: target.c:4:1: error: `#pragma target` must stand before a `for` or a block
