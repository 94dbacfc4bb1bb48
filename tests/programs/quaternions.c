// SET: n=25,B=4
// SET: n=1,B=8
// SET: n=96,B=16
// RUN: %treefork verify %s --set n=25,B=4 --set n=1,B=8 --set n=96,B=16 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Products of quaternions stored as rows of four.
#include <metafork.h>
typedef float quaternion[4];
static inline void multiply(const quaternion a, const quaternion b, float c[4])
{
    c[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    c[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    c[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    c[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}
void quaternions(int n, int B, const quaternion *restrict left, const quaternion *restrict right, quaternion *restrict out)
{
    meta_schedule {
        meta_for (int i = 0; i < (n + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                if (p < n)
                    multiply(left[p], right[p], out[p]);
            }
    }
}
