// SET: n=26,B=4,s=2
// SET: n=1,B=1,s=1
// SET: n=96,B=8,s=3
// RUN: %treefork verify %s --set n=26,B=4,s=2 --set n=1,B=1,s=1 --set n=96,B=8,s=3 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Three interleaved channels into three planes of one array.
#include <metafork.h>
void deinterleave(int n, int B, int s, const float packed[3 * n], float planes[3 * n])
{
    meta_schedule cache(packed) {
        meta_for (int i = 0; i < n / (B * s); i++)
            meta_for (int j = 0; j < B; j++)
                for (int k = 0; k < s; k++) {
                    int p = (i * s + k) * B + j;
                    planes[p] = packed[3 * p];
                    planes[n + p] = packed[3 * p + 1];
                    planes[2 * n + p] = packed[3 * p + 2];
                }
    }
}
