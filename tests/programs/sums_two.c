// SET: n=200,B=1
// SET: n=0,B=3
// SET: n=5000,B=4
// SET: n=517,B=100
// SET: n=9300,B=8
// RUN: %treefork verify %s --set n=200,B=1 --set n=0,B=3 --set n=5000,B=4 --set n=517,B=100 --set n=9300,B=8 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Two sums of integers in two launches, beside a map: more blocks than a grid of sums has, sizes that the region may choose.
#include <metafork.h>
void sums_two(int n, int B, int *z, const int *x, long s[1], unsigned t[2])
{
    meta_schedule meta_reduce(+, s) meta_reduce(^, t) {
        meta_for (int b = 0; b < (n + B - 1) / B; b++)
            meta_for (int k = 0; k < B; k++) {
                int i = b * B + k;
                if (i < n) {
                    z[i] = 3 * x[i];
                    s[0] += (long)x[i] * x[i];
                    t[1] ^= (unsigned)x[i] << i % 7;
                }
            }
    }
}
