// SET: n=20,B=4
// SET: n=7,B=8
// RUN: %treefork verify %s --set n=20,B=4 --set n=7,B=8 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Many values alive at once: all powers up to sixteen, combined backwards, double.
#include <metafork.h>
void powers_all(int n, int B, const double x[n], double y[n])
{
    meta_schedule {
        meta_for (int i = 0; i < (n + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                if (p < n) {
                    double power[16];
                    double z = 0.01 * x[p], sum = 0.0;
                    power[0] = 1.0;
                    for (int k = 1; k < 16; k++)
                        power[k] = power[k - 1] * z;
                    for (int k = 0; k < 8; k++)
                        sum += power[k] * power[15 - k] - power[15 - k] * (double)k;
                    y[p] = sum;
                }
            }
    }
}
