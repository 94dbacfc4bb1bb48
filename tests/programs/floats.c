// SET: n=25,B=4,f=1.5,d=-0.75
// RUN: %treefork verify %s --set n=25,B=4,f=1.5,d=-0.75 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Conversions between floating and integer types and between the two precisions.
#include <metafork.h>
void floats(int n, int B, float f, double d, const float *x, float *y, double *z, int *w, unsigned char *c)
{
    meta_schedule {
        meta_for (int i = 0; i < (n + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                if (p < n) {
                    y[p] = x[p] * d + f;
                    y[p] += 0.1;
                    z[p] = x[p] * f + 0.1f - p / 2 + p / 2.0;
                    z[p] -= 1e-3 + 0x1.8p1f + .5;
                    w[p] = (int)(x[p] * 100) + (int)d;
                    w[p] *= 1.5f;
                    w[p] -= 2.75;
                    c[p] = (unsigned char)(int)(x[p] * 10 + 20);
                    c[p] += x[p] > 0 ? 0.5f : 2;
                    y[p] = -y[p] < 0 ? y[p] : (float)-z[p];
                }
            }
    }
}
