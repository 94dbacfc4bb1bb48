// SET: n=45,B=8
// SET: n=7,B=16
// RUN: %treefork verify %s --set n=45,B=8 --set n=7,B=16 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// The smallest map: x by a number.
#include <metafork.h>
void scale(int n, int B, float alpha, float x[n])
{
    meta_schedule {
        meta_for (int i = 0; i < (n + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                if (p < n)
                    x[p] *= alpha;
            }
    }
}
