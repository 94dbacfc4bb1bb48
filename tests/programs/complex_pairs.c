// SET: n=23,s=2,B=4
// SET: n=4,s=1,B=4
// SET: n=90,s=3,B=8
// RUN: %treefork verify %s --set n=23,s=2,B=4 --set n=4,s=1,B=4 --set n=90,s=3,B=8 --witness threads,cpu,opencl --device-runs %device_runs | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Interleaved complex numbers: subscripts of stride two, products in place.
#include <metafork.h>
void complex_pairs(int n, int s, int B, float z[2 * n], const float w[2 * n])
{
    meta_schedule cache(z, w) {
        meta_for (int i = 0; i < n / (s * B); i++)
            meta_for (int j = 0; j < B; j++)
                for (int k = 0; k < s; k++) {
                    int p = (i * s + k) * B + j;
                    float re = z[2 * p] * w[2 * p] - z[2 * p + 1] * w[2 * p + 1];
                    float im = z[2 * p] * w[2 * p + 1] + z[2 * p + 1] * w[2 * p];
                    z[2 * p] = re;
                    z[2 * p + 1] = im;
                }
    }
}
