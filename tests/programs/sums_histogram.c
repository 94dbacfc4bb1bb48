// SET: n=200,B=1
// SET: n=1,B=3
// SET: n=95,B=32
// SET: n=517,B=100
// SET: n=1300,B=256
// RUN: %treefork verify %s --set n=200,B=1 --set n=1,B=3 --set n=95,B=32 --set n=517,B=100 --set n=1300,B=256 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Counts and weights in places that only the data tell, or by exclusive or.
#include <metafork.h>
void histogram(int n, int B, unsigned count[16], int weight[16], unsigned parity[1],
               const unsigned char *x)
{
    meta_schedule meta_reduce(+, count, weight) meta_reduce(^, parity) {
        meta_for (int i = 0; i < (n + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                if (p < n) {
                    count[x[p] % 16]++;
                    weight[x[p] / 16] += p;
                    parity[0] ^= x[p];
                }
            }
    }
}
