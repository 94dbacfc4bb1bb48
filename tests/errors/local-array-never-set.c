// RUN: not %treefork build %s -o %t 2>&1 | FileCheck %s
#include <metafork.h>

void f(int n, int B, float b[n])
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                float t[3];
                b[i * B + j] = t[1];
// CHECK: local-array-never-set.c:[[@LINE-1]]:32: error: `t` is read and never has a value
// CHECK: local-array-never-set.c:9:23: note: `t` is declared here, without a value
            }
    }
}
// CHECK-NOT: error:
