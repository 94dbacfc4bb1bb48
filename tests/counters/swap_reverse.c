// SET: n=40,B=4
// SET: n=9,B=2
// RUN: %treefork verify %s --set n=40,B=4 --set n=9,B=2 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Two vectors change places, one of them reversed.
#include <metafork.h>
void swap_reverse(int n, int B, double x[restrict n], double y[restrict n])
{
    meta_schedule {
        meta_for (int i = 0; i < (n + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                if (p < n) {
                    double old = x[p];
                    x[p] = y[n - 1 - p];
                    y[n - 1 - p] = old;
                }
            }
    }
}
