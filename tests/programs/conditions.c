// SET: n=26,B=4,t=3,limit=0.25
// SET: n=26,B=4,t=4,limit=-2
// RUN: %treefork verify %s --set n=26,B=4,t=3,limit=0.25 --set n=26,B=4,t=4,limit=-2 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Conditions of every form: floating, nested, short circuit, ternary chains, truth values as numbers, _Bool locals.
#include <metafork.h>
void conditions(int n, int B, int t, double limit, const double *x, int *restrict out)
{
    meta_schedule {
        meta_for (int i = 0; i < (n + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                if (p < n) {
                    _Bool positive = x[p] > 0, odd = p & 1, any = x[p];
                    int r = positive ? odd ? 1 : 2 : !any ? 3 : 4;
                    if (x[p])
                        r += 10;
                    if (!x[p] || (odd && x[p] < limit))
                        r += 20;
                    else if (t % 2)
                        r += 30 + (x[p] >= limit) + (p != 3);
                    else
                        r -= (positive || odd) + (positive && odd) + positive;
                    if (p > 0 && x[p - 1] > x[p])
                        r = -r;
                    out[p] = r + (t ? 100 : 200) + (x[p] ? 1 : 0);
                }
            }
    }
}
