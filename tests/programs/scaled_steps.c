// SET: n=36,B=4,h=3
// SET: n=4,B=4,h=1
// SET: n=96,B=8,h=4
// RUN: %treefork verify %s --set n=36,B=4,h=3 --set n=4,B=4,h=1 --set n=96,B=8,h=4 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// A serial loop between the bands with a scalar that changes from step to step.
#include <metafork.h>
void scaled_steps(int n, int B, int h, const double *restrict x, double *restrict y)
{
    meta_schedule cache(x) {
        meta_for (int i = 0; i < n / (B * h); i++) {
            double factor = 1;
            for (int step = 0; step < h; step++) {
                double offset = factor * 0.5;
                meta_for (int j = 0; j < B; j++) {
                    int p = (i * h + step) * B + j;
                    y[p] = x[p] * factor + offset;
                }
                factor *= 2;
            }
        }
    }
}
