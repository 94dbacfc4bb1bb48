// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
int f(int n, const int a[n])
{
    register int s = 0;
    const int B = meta_tunable(32);
    meta_schedule meta_reduce(+, s) {
        meta_for (int b = 0; b < (n + B - 1) / B; b++)
            meta_for (int t = 0; t < B; t++)
                if (b * B + t < n)
// CHECK: reduce-register.c:[[@LINE+1]]:21: error: `s` is declared `register` and has no address
                    s += a[b * B + t];
    }
    return s;
}
