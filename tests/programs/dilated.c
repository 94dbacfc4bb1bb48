// SET: n=21,B=4
// SET: n=1,B=1
// SET: n=90,B=16
// RUN: %treefork verify %s --set n=21,B=4 --set n=1,B=1 --set n=90,B=16 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// A convolution with stride two and taps three apart.
#include <metafork.h>
void dilated(int n, int B, const int in[2 * n + 6], const int w[3], int out[n])
{
    meta_schedule cache(in, w) {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j, sum = 0;
                for (int t = 0; t < 3; t++)
                    sum += w[t] * in[2 * p + 3 * t];
                out[p] = sum;
            }
    }
}
