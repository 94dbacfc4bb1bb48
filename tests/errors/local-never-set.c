// RUN: not %treefork build %s -o %t 2>&1 | FileCheck %s
#include <metafork.h>

void f(int n, int B, float b[n])
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                float never;
                b[i * B + j] = i;
                if (i > 3)
                    b[i * B + j] = never;
// CHECK: local-never-set.c:[[@LINE-1]]:21: error: `never` is read and never has a value
// CHECK: local-never-set.c:9:23: note: `never` is declared here, without a value
            }
    }
}
// CHECK-NOT: error:
