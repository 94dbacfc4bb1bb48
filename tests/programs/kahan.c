// SET: n=17,m=40,B=4
// SET: n=1,m=0,B=1
// SET: n=64,m=100,B=16
// RUN: %treefork verify %s --set n=17,m=40,B=4 --set n=1,m=0,B=1 --set n=64,m=100,B=16 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Compensated sums: any contraction or reordering would show.
#include <metafork.h>
void kahan(int n, int m, int B, const float a[n][m], float *restrict sum)
{
    meta_schedule {
        meta_for (int i = 0; i < (n + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                if (p < n) {
                    float s = 0, c = 0;
                    for (int k = 0; k < m; k++) {
                        float y = a[p][k] * a[p][k] - c;
                        float t = s + y;
                        c = (t - s) - y;
                        s = t;
                    }
                    sum[p] = s;
                }
            }
    }
}
