// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
#define REGION meta_schedule { meta_for (int i = 0; i < n; i++) meta_for (int j = 0; j < 4; j++) a[i * 4 + j] = 0; }
void f(int n, float *a)
{
// CHECK: macro-region.c:[[@LINE+1]]:5: error: a region must be written out as `meta_schedule { ... }` in the file itself, not by a macro
    REGION
}
