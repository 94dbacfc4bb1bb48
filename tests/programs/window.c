// SET: n=30,R=2,B=4
// SET: n=3,R=0,B=8
// SET: n=100,R=7,B=16
// RUN: %treefork verify %s --set n=30,R=2,B=4 --set n=3,R=0,B=8 --set n=100,R=7,B=16 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// A moving mean whose radius is a parameter: a halo of symbolic width.
#include <metafork.h>
void window(int n, int R, int B, const float in[n + 2 * R], float out[n])
{
    meta_schedule cache(in) {
        meta_for (int i = 0; i < (n + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                if (p < n) {
                    float sum = 0;
                    for (int d = -R; d <= R; d++)
                        sum += in[p + R + d];
                    out[p] = sum / (float)(2 * R + 1);
                }
            }
    }
}
