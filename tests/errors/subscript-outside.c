// RUN: not %treefork build %s -o %t 2>&1 | FileCheck %s
#include <metafork.h>

static float table[16];

void f(int n, int B, float b[n])
{
    meta_schedule {
        meta_for (int i = 0; i < 4; i++)
            meta_for (int j = 0; j < B; j++)
                b[i * B + j] = table[i * 8 + 7];
// CHECK: subscript-outside.c:[[@LINE-1]]:32: error: subscript 1 of `table` reaches 31, which is not in 0..15
// CHECK: subscript-outside.c:4:14: note: `table` is declared here
    }
}

/* Correct: what a condition keeps out is no fault, nor is what a loop variable does not attain. */
void g(int n, int B, float b[n])
{
    meta_schedule {
        meta_for (int i = 0; i < 4; i++)
            meta_for (int j = 0; j < B; j++) {
                float sum = 0;
                for (int k = 0; k < 17; k++)
                    sum += k < 16 ? table[k] : 0;
                for (int k = 0; k < 18; k += 3)
                    sum += table[k];
                b[i * B + j] = sum;
            }
    }
}
// CHECK-NOT: error:
