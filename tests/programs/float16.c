// SET: n=100,B=8,s=0.7,h=0.1
// SET: n=7,B=16,s=-3,h=1000
// RUN: %treefork verify %s --set n=100,B=8,s=0.7,h=0.1 --set n=7,B=16,s=-3,h=1000 --witness threads,cpu,opencl --device-runs %device_runs | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: difference
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// RUN: rm -rf %t && %treefork build %s -o %t
// RUN: FileCheck --check-prefix=OPENCL %s < %t/float16.cl
// RUN: FileCheck --check-prefix=CUDA %s < %t/float16.cu
// RUN: FileCheck --check-prefix=PTX %s < %t/float16.ptx
// OPENCL: typedef ushort tf_half;
// OPENCL: vstore_half_rte
// OPENCL: __kernel void float16_1({{.*}}double s, float h, __global const tf_half *restrict a,
// OPENCL: tf_half_float(a[{{.*}}]) * tf_half_float(b[{{.*}}]) + h;
// OPENCL: tf_half_of_double(
// CUDA: typedef unsigned short tf_half;
// CUDA: cvt.rn.f16.f32
// PTX: .param .f32 float16_1_param_3,
// PTX: cvt.f32.f16
// PTX: cvt.rn.f16.f64
// Halves in memory and in variables: computed in float, rounded where they are stored, cast, passed and returned. Equal bits.
#include <math.h>
#include <metafork.h>
typedef _Float16 half;
static inline half mean(half a, half b)
{
    return (a + b) / 2;
}
void float16(int n, int B, double s, half h, const half *restrict a, const half *restrict b, const int *restrict k,
            half *restrict x, float *restrict f, double *restrict d, int *restrict w, half (*restrict y)[4])
{
    meta_schedule {
        meta_for (int i = 0; i < (n + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int at = i * B + j;
                if (at < n) {
                    half p = a[at] * b[at], t[4], best;
                    p += k[at] * 50;
                    f[at] = a[at] * b[at] + h;
                    d[at] = a[at] * s + (half)(a[at] * b[at]);
                    x[at] = a[at] < b[at] ? a[at] * h : mean(a[at], b[at]) - p;
                    w[at] = (int)(a[at] * 100) + (a[at] > 0.25f) + (p == 0);
                    x[at] += sqrtf(fabsf(a[at])) - 0.1;
                    if (b[at])
                        x[at] = -x[at] * s;
                    best = x[at];
                    for (int m = 0; m < 4; m++) {
                        t[m] = y[at][m] * h + (half)m;
                        if (t[m] > best)
                            best = t[m];
                    }
                    for (int m = 0; m < 4; m++)
                        y[at][3 - m] = t[m] / (1 + best * best);
                }
            }
    }
}
