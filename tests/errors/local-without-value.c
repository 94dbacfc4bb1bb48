// RUN: not %treefork build %s -o %t 2>&1 | FileCheck %s
#include <metafork.h>

void f(int n, int B, int m, float b[n])
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                float s;
// CHECK: local-without-value.c:[[@LINE-1]]:23: error: `s` is read before it has a value
                for (int k = 0; k < m; k++)
                    s += k;
                b[i * B + j] = s;
            }
    }
}

/* Correct: the first round gives the value that later ones read. */
void g(int n, int B, int m, float b[n])
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                float s;
                for (int k = 0; k <= m; k++)
                    s = k ? s + k : 1;
                b[i * B + j] = s;
            }
    }
}
// CHECK-NOT: error:
