// SET: n=32,half=4,B=4
// SET: n=2,half=1,B=1
// SET: n=256,half=32,B=16
// RUN: %treefork verify %s --set n=32,half=4,B=4 --set n=2,half=1,B=1 --set n=256,half=32,B=16 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// A stage of a fast Fourier transform in place: partners at a distance that is a parameter; block and position by
// quotient and remainder of the thread's number.
#include <math.h>
#include <metafork.h>
void fft_stage(int n, int half, int B, float re[n], float im[n])
{
    meta_schedule {
        meta_for (int i = 0; i < n / 2 / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int q = i * B + j;
                int p = q / half * 2 * half + q % half;
                float angle = -3.14159265f * (float)(q % half) / (float)half;
                float c = cosf(angle), s = sinf(angle);
                float xr = re[p + half] * c - im[p + half] * s, xi = re[p + half] * s + im[p + half] * c;
                re[p + half] = re[p] - xr;
                im[p + half] = im[p] - xi;
                re[p] += xr;
                im[p] += xi;
            }
    }
}
