// SET: n=19,B=4,half=1.5
// SET: n=2,B=3,half=1.5
// RUN: %treefork verify %s --set n=19,B=4 --set n=2,B=3 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// C as it was written before 1999: variables declared first and assigned once, loop variables outside.
#include <metafork.h>
void classic(n, B, x, y) int n;
int B;
float *x;
float *y;
{
    int i, j, k;
    int dim;
    float half;
    dim = (n + B - 1) / B;
    half = 0.5f;
    half *= 3;
    meta_schedule {
        meta_for (i = 0; i < dim; i++) {
            meta_for (j = 0; j < B; j++) {
                if (i * B + j < n) {
                    y[i * B + j] = 0;
                    for (k = 0; k < 4; k++)
                        y[i * B + j] = y[i * B + j] + half * x[i * B + j] * k;
                }
            }
        }
    }
}
