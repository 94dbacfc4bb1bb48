// A run that the system kills is no fault of the program, and no leaf is blamed for it.
// RUN: not %treefork verify %s --set n=64 --leaf 1 2>&1 | FileCheck %s
// RUN: not %treefork verify %s --set n=64 --leaf 1 --witness cpu 2>&1 | FileCheck %s
// CHECK: error: killed: no result of the serial program: it was killed by signal 9, as the system does when memory runs out
// CHECK-NOT: FAILED
#include <signal.h>

void killed(int n, int *a)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = i;
    raise(SIGKILL);
}
