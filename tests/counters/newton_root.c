// SET: n=30,K=6,s=2,B=4
// SET: n=11,K=3,s=1,B=8
// RUN: %treefork verify %s --set n=30,K=6,s=2,B=4 --set n=11,K=3,s=1,B=8 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Cubic roots by Newton's iteration, division in the loop, float.
#include <metafork.h>
#include <math.h>
void newton_root(int n, int K, int s, int B, const float x[n], float y[n])
{
    meta_schedule {
        meta_for (int i = 0; i < (n + s * B - 1) / (s * B); i++)
            meta_for (int j = 0; j < B; j++)
                for (int k = 0; k < s; k++) {
                    int p = (i * s + k) * B + j;
                    if (p < n) {
                        float a = fabsf(x[p]) + 1.0f, r = a;
                        for (int t = 0; t < K; t++)
                            r = (2.0f * r + a / (r * r)) / 3.0f;
                        y[p] = r;
                    }
                }
    }
}
