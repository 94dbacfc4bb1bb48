// RUN: not %treefork build %s -o %t 2>&1 | FileCheck %s
#include <metafork.h>

void f(int n, int B, float b[n])
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                float t[4];
                for (int k = 0; k <= 4; k++)
                    t[k] = k;
// CHECK: local-array-outside.c:[[@LINE-1]]:21: error: subscript 1 of `t` reaches 4, which is not in 0..3
                b[i * B + j] = t[2];
            }
    }
}
