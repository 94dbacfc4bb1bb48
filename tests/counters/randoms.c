// SET: n=30,K=4,s=2,B=4
// SET: n=9,K=3,s=1,B=8
// RUN: %treefork verify %s --set n=30,K=4,s=2,B=4 --set n=9,K=3,s=1,B=8 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Shifts and exclusive ors: a generator of random numbers per element.
#include <metafork.h>
void randoms(int n, int K, int s, int B, const unsigned seed[n], unsigned out[n])
{
    meta_schedule {
        meta_for (int i = 0; i < (n + s * B - 1) / (s * B); i++)
            meta_for (int j = 0; j < B; j++)
                for (int k = 0; k < s; k++) {
                    int p = (i * s + k) * B + j;
                    if (p < n) {
                        unsigned x = seed[p] | 1u;
                        for (int t = 0; t < K; t++) {
                            x ^= x << 13;
                            x ^= x >> 17;
                            x ^= x << 5;
                        }
                        out[p] = x;
                    }
                }
    }
}
