// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
struct pair { float x, y; };
void f(int n, int B, struct pair s, float *a)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
// CHECK: struct-member.c:[[@LINE+1]]:26: error: a structure member is not possible in a region; copy it to a scalar before the region, or pass arrays of scalars
                a[p] = s.x;
            }
    }
}
