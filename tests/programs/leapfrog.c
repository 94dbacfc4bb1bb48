// SET: steps=3,n=30,B=4,c=0.5
// SET: steps=0,n=8,B=8,c=0.5
// SET: steps=2,n=65,B=16,c=0.25
// RUN: %treefork verify %s --set steps=3,n=30,B=4,c=0.5 --set steps=0,n=8,B=8,c=0.5 --set steps=2,n=65,B=16,c=0.25 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Two regions under one time loop: electric and magnetic field in turn.
#include <metafork.h>
void leapfrog(int steps, int n, int B, float c, float *restrict e, float *restrict h)
{
    for (int t = 0; t < steps; t++) {
        meta_schedule cache(h) {
            meta_for (int i = 0; i < (n - 1) / B; i++)
                meta_for (int j = 0; j < B; j++) {
                    int p = i * B + j + 1;
                    e[p] += c * (h[p] - h[p - 1]);
                }
        }
        e[0] = (float)t;
        meta_schedule cache(e) {
            meta_for (int i = 0; i < (n - 1) / B; i++)
                meta_for (int j = 0; j < B; j++) {
                    int p = i * B + j;
                    h[p] += c * (e[p + 1] - e[p]);
                }
        }
    }
}
