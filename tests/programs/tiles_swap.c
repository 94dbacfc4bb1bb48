// SET: n=24,B=4
// SET: n=3,B=4
// SET: n=64,B=16
// RUN: %treefork verify %s --set n=24,B=4 --set n=3,B=4 --set n=64,B=16 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Two halves of one array exchange their blocks.
#include <metafork.h>
void tiles_swap(int n, int B, int a[2 * n])
{
    meta_schedule cache(a) {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                int t = a[p];
                a[p] = a[n + p];
                a[n + p] = t;
            }
    }
}
