// SET: n=45,K=5,s=2,B=8
// SET: n=20,K=3,s=1,B=4
// RUN: %treefork verify %s --set n=45,K=5,s=2,B=8 --set n=20,K=3,s=1,B=4 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// A filter of K taps, the signal and the taps staged.
#include <metafork.h>
void conv1_taps(int n, int K, int s, int B, const float x[n + K], const float h[K], float y[n])
{
    meta_schedule cache(x, h) {
        meta_for (int i = 0; i < n / (s * B); i++)
            meta_for (int j = 0; j < B; j++)
                for (int k = 0; k < s; k++) {
                    int p = (i * s + k) * B + j;
                    float sum = 0.0f;
                    for (int t = 0; t < K; t++)
                        sum += h[t] * x[p + t];
                    y[p] = sum;
                }
    }
}
