// SET: n=40,B=8
// SET: n=13,B=4
// RUN: %treefork verify %s --set n=40,B=8 --set n=13,B=4 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Polar to Cartesian by sin and cos, and back by atan2 and hypot.
#include <metafork.h>
#include <math.h>
void phases(int n, int B, const float r[n], const float a[n], float x[n], float y[n], float back[n], float length[n])
{
    meta_schedule {
        meta_for (int i = 0; i < (n + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                if (p < n) {
                    float c = r[p] * cosf(a[p]), d = r[p] * sinf(a[p]);
                    x[p] = c;
                    y[p] = d;
                    back[p] = atan2f(d, c);
                    length[p] = hypotf(c, d);
                }
            }
    }
}
