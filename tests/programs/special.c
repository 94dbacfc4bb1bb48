// SET: n=40,B=8
// SET: n=3,B=4
// SET: n=100,B=16
// RUN: %treefork verify %s --set n=40,B=8 --set n=3,B=4 --set n=100,B=16 --witness threads,cpu,opencl --device-runs %device_runs | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Numbers that are none and numbers without end, asked for by name; rarer functions.
#include <math.h>
#include <metafork.h>
void special(int n, int B, double *restrict a, float *restrict b, int *restrict kind)
{
    meta_schedule {
        meta_for (int i = 0; i < (n + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                if (p < n) {
                    double x = a[p] / (p % 7);
                    kind[p] = !!isnan(x) + 10 * isinf(x) + 100 * !!isfinite(x) + 1000 * !isnan(b[p] / 0.0f);
                    if (isinf(x))
                        kind[p] = -kind[p];
                    a[p] = fdim(a[p], 1) + nearbyint(a[p]) + lgamma(2 + fabs(a[p])) + asinh(a[p]) + remainder(a[p], 3) +
                           tgamma(2 + fabs(a[p])) + acosh(200 + a[p]) + atanh(sin(a[p]) / 2);
                    b[p] = fdimf(b[p], 1) + nearbyintf(b[p]) + asinhf(b[p]) + remainderf(b[p], 3) + acoshf(200 + b[p]) +
                           lgammaf(2 + fabsf(b[p])) + atanhf(sinf(b[p]) / 2) + tgammaf(2 + fabsf(b[p]));
                }
            }
    }
}
