// SET: n=100,B=16
// SET: n=1,B=3
// RUN: %treefork verify %s --set n=100,B=16 --set n=1,B=3 --witness %witnesses --device-runs once | FileCheck %s
// RUN: %treefork dump leaves %s | FileCheck %s --check-prefix=LEAVES
// RUN: %treefork tree --reported %s | FileCheck %s --check-prefix=TRAFFIC
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Local arrays that only the thread reads which wrote the element need no memory: vadd moves 4 words a point, waxpby 3. Those that
// a neighbour reads, or another region, stay.
// LEAVES: kernel vadd
// LEAVES-NOT: t[i] =
// LEAVES: let float stored = w[i] + y[i];
// LEAVES-NEXT: x[i] = stored + z[i];
// LEAVES: kernel waxpby
// LEAVES-NOT: t[i] =
// LEAVES: kernel branches
// LEAVES: if (y[i] < 0.0f)
// LEAVES-NEXT: x[i] = -stored
// LEAVES: kernel neighbours
// LEAVES: t[{{.*}} = y[i]
// LEAVES: kernel later
// LEAVES: t[i] = 2.0f * y[i]
// LEAVES: kernel later_2
// TRAFFIC: traffic, 4-byte words per region: 4*B*f (upper) where f = ceil(n/B)
// TRAFFIC: waxpby: {{[0-9]+}} cases
// TRAFFIC: traffic, 4-byte words per region: 3*B*f (upper)
#include <metafork.h>
void vadd(int n, int B, float *restrict x, const float *restrict w, const float *restrict y, const float *restrict z)
{
    float t[n];
    meta_schedule {
        meta_for (int b = 0; b < (n + B - 1) / B; b++)
            meta_for (int k = 0; k < B; k++) {
                int i = b * B + k;
                if (i < n) {
                    t[i] = w[i] + y[i];
                    x[i] = t[i] + z[i];
                }
            }
    }
}

void waxpby(int n, int B, float *restrict x, const float *restrict w, const float *restrict y)
{
    float t[n];
    meta_schedule {
        meta_for (int b = 0; b < (n + B - 1) / B; b++)
            meta_for (int k = 0; k < B; k++) {
                int i = b * B + k;
                if (i < n) {
                    t[i] = 3 * y[i];
                    x[i] = 2 * w[i] + t[i];
                }
            }
    }
}

void branches(int n, int B, float *restrict x, const float *restrict w, const float *restrict y)
{
    float t[n];
    meta_schedule {
        meta_for (int b = 0; b < (n + B - 1) / B; b++)
            meta_for (int k = 0; k < B; k++) {
                int i = b * B + k;
                if (i < n) {
                    t[i] = w[i];
                    if (y[i] < 0)
                        x[i] = -t[i];
                    else {
                        t[i] = t[i] * t[i];
                        x[i] = t[i];
                    }
                }
            }
    }
}

void neighbours(int n, int B, float *restrict x, const float *restrict y)
{
    float t[n + B];
    meta_schedule {
        meta_for (int b = 0; b < (n + B - 1) / B; b++) {
            meta_for (int k = 0; k < B; k++) {
                int i = b * B + k;
                if (i < n)
                    t[b * B + B - 1 - k] = y[i];
            }
            meta_for (int k = 0; k < B; k++) {
                int i = b * B + B - 1 - k;
                if (i < n && (b + 1) * B <= n)
                    x[i] = t[b * B + B - 1 - k];
            }
        }
    }
}

void later(int n, int B, float *restrict x, float *restrict z, const float *restrict y)
{
    float t[n];
    meta_schedule {
        meta_for (int b = 0; b < (n + B - 1) / B; b++)
            meta_for (int k = 0; k < B; k++) {
                int i = b * B + k;
                if (i < n) {
                    t[i] = 2 * y[i];
                    x[i] = t[i] + 1;
                }
            }
    }
    meta_schedule {
        meta_for (int b = 0; b < (n + B - 1) / B; b++)
            meta_for (int k = 0; k < B; k++) {
                int i = b * B + k;
                if (i < n)
                    z[i] = t[n - 1 - i];
            }
    }
}
