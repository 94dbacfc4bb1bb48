// SET: n=40,B=8
// SET: n=3,B=4
// RUN: %treefork verify %s --set n=40,B=8 --witness threads,cpu,opencl --device-runs %device_runs | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK: {{[1-9][0-9]*}} verified, 0 failed
// Exponents, signs and rounding to integers: functions with an int among their arguments or as result.
#include <math.h>
#include <metafork.h>
void exponents(int n, int B, double *restrict a, float *restrict b, long *restrict whole)
{
    meta_schedule {
        meta_for (int i = 0; i < (n + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                if (p < n) {
                    whole[p] = lrint(1000 * a[p]) + 3 * lrintf(900 * b[p]) + llrint(a[p]) + lround(7 * a[p]) +
                               lroundf(5 * b[p]) + llroundf(b[p] / 2);
                    if (signbit(a[p]) && !signbit(b[p] * -0.0f))
                        whole[p] = -whole[p];
                    a[p] = ldexp(a[p], p % 5 - 2) + logb(a[p]) + ldexp(a[p], -1070 + p) + scalbn(a[p], 1020 + p % 2);
                    b[p] = ldexpf(b[p], p % 7 - 3) + logbf(b[p]) + ldexpf(b[p], -140 - p % 4) + scalbnf(b[p], 3);
                }
            }
    }
}
