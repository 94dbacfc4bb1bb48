// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, float *a)
{
// CHECK: tunable-in-expression.c:[[@LINE+1]]:23: error: meta_tunable is the initial value of a const integer local only; write `const int B = meta_tunable(16);` and use B here
    const int B = 2 * meta_tunable(16);
    meta_schedule {
        meta_for (int i = 0; i < (n + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++)
                if (i * B + j < n)
                    a[i * B + j] = 1;
    }
}
