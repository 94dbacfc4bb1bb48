// SET: n=40,B=8
// RUN: %treefork verify %s --set n=40,B=8 --witness threads,cpu,opencl --device-runs %device_runs | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Functions of the C library in both precisions, and the special values.
#include <math.h>
#include <metafork.h>
#include <stdlib.h>
void mathematics(int n, int B, const float *restrict x, const double *restrict y, float *restrict f, double *restrict g,
                 long *restrict l)
{
    meta_schedule {
        meta_for (int i = 0; i < (n + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                if (p < n) {
                    float v = x[p];
                    f[p] = fabsf(v) + sqrtf(v * v) + fminf(v, 0.5f) + fmaxf(v, -0.5f) + floorf(v * 9) + ceilf(v * 7) +
                           expf(v) + sinf(v) * cosf(v) + powf(fabsf(v) + 1, 1.5f) + truncf(4 * v);
                    g[p] = exp(y[p]) + log(fabs(y[p]) + 1) + atan2(y[p], 2) + hypot(y[p], 3) + cbrt(y[p]) + fmod(y[p], 0.3) +
                           copysign(2, y[p]) + fma(y[p], 2, 1) + round(5 * y[p]) + tanh(y[p]) + erf(y[p]);
                    l[p] = abs((int)(v * 100)) - labs((long)(y[p] * 1000));
                    if (g[p] < INFINITY && v > -HUGE_VALF)
                        l[p] += 1;
                }
            }
    }
}
