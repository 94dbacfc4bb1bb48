// A loop's variable that hides a parameter of the same name is not that parameter: the extent is not B.
// RUN: not %treefork build %s -o %t 2>&1 | FileCheck %s
// CHECK: block-extent-hides-name.c:[[@LINE+10]]:17: error: the extent of a meta_for must be given by parameters
#include <metafork.h>

void f(int n, int i0, int B, int c[n])
{
    int base = i0;
    meta_schedule {
        meta_for (int b = 0; b < (n + B - 1) / B; b++) {
            int w = base;
            for (int i0 = 0; i0 < 3; i0++)
                meta_for (int t = i0; t < base + B; t++)
                    if (b * B + t < n)
                        c[b * B + t] = w;
        }
    }
}
