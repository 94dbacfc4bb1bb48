// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
float g(float x);
void f(int n, int B, float *a, float *b)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
// CHECK: unknown-call.c:[[@LINE+1]]:24: error: a call of `g`, whose definition is not visible, is not possible in a region; define it as a static inline function, or call one of the functions that regions know (docs/language.md lists them)
                a[p] = g(a[p]);
            }
    }
}
