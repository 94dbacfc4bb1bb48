// SET: n=34,s=2,B=8
// SET: n=9,s=3,B=2
// RUN: %treefork verify %s --set n=34,s=2,B=8 --set n=9,s=3,B=2 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Products of fixed-point numbers through 64 bits, rounded and cut off.
#include <metafork.h>
void fixed_point(int n, int s, int B, const int a[n], const int b[n], int c[n])
{
    meta_schedule {
        meta_for (int i = 0; i < (n + s * B - 1) / (s * B); i++)
            meta_for (int j = 0; j < B; j++)
                for (int k = 0; k < s; k++) {
                    int p = (i * s + k) * B + j;
                    if (p < n) {
                        long wide = (long)a[p] * b[p] + (1L << 14);
                        long high = wide >> 15;
                        high = high > 2147483647L ? 2147483647L : high;
                        high = high < -2147483647L ? -2147483647L : high;
                        c[p] = (int)high;
                    }
                }
    }
}
