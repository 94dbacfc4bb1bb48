// SET: n=39,B=8,mu=0.25,sigma=1.5
// SET: n=2,B=4,mu=0,sigma=1
// SET: n=128,B=32,mu=-1,sigma=0.5
// RUN: %treefork verify %s --set n=39,B=8,mu=0.25,sigma=1.5 --set n=2,B=4,mu=0,sigma=1 --set n=128,B=32,mu=-1,sigma=0.5 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Mathematical functions in both precisions: densities, limits, powers.
#include <math.h>
#include <metafork.h>
void normal(int n, int B, float mu, double sigma, const float *restrict x, float *restrict density, double *restrict clipped)
{
    meta_schedule {
        meta_for (int i = 0; i < (n + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                if (p < n) {
                    float z = (x[p] - mu) / (float)sigma;
                    density[p] = expf(-0.5f * z * z) / sqrtf(6.2831853f) / (float)sigma;
                    clipped[p] = fmin(fmax(pow(fabs((double)x[p]), 1.5), 0.001), sigma) + log1p(fabs(mu * sigma));
                }
            }
    }
}
