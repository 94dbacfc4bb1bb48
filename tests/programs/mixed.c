// SET: n=33,s=3,B=4,gain=0.75,offset=1.25
// SET: n=11,s=1,B=16,gain=2,offset=0
// SET: n=96,s=4,B=8,gain=-3,offset=0.125
// RUN: %treefork verify %s --set n=33,s=3,B=4,gain=0.75,offset=1.25 --set n=11,s=1,B=16,gain=2,offset=0 --set n=96,s=4,B=8,gain=-3,offset=0.125 --witness threads,cpu,opencl --device-runs %device_runs | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Float data, double arithmetic, integer weights; staged arrays of three element sizes.
#include <metafork.h>
void mixed(int n, int s, int B, float gain, double offset, const float x[n], const short weight[n], double y[n])
{
    int dim = n / (s * B);
    meta_schedule cache(x, weight, y) {
        meta_for (int i = 0; i < dim; i++)
            meta_for (int j = 0; j < B; j++)
                for (int k = 0; k < s; k++) {
                    int p = i * s * B + k * B + j;
                    double wide = x[p] * gain;
                    y[p] = y[p] / 2 + wide * weight[p] + offset;
                }
    }
}
