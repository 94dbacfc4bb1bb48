// SET: n=29,B=4
// SET: n=3,B=4
// SET: n=96,B=32
// RUN: %treefork verify %s --set n=29,B=4 --set n=3,B=4 --set n=96,B=32 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// A scalar per block, loaded from an array between the bands, and a condition on it.
#include <metafork.h>
void block_scale(int n, int B, const double *restrict scale, const int *restrict mode, double *restrict x)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++) {
            double s = scale[i] * 2;
            int m = mode[i] & 3;
            if (m == 1)
                s = -s;
            meta_for (int j = 0; j < B; j++)
                x[i * B + j] *= s;
            if (m > 1) {
                meta_for (int j = 0; j < B; j++)
                    x[i * B + j] += m;
            }
        }
    }
}
