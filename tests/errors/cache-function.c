// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float *a)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
// CHECK: cache-function.c:[[@LINE+1]]:24: error: `cache` is a mark of metafork.h and stands directly behind meta_schedule, so no function can bear this name: rename it, or define METAFORK_LONG_NAMES above `#include <metafork.h>` (the mark is then meta_cache)
                a[p] = cache(a[p]);
            }
    }
}
