// SET: n=26,s=2,B=4
// SET: n=9,s=1,B=4
// RUN: %treefork verify %s --set n=26,s=2,B=4 --set n=9,s=1,B=4 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Vectors of three made unit length by a reciprocal root.
#include <metafork.h>
#include <math.h>
void normalise3(int n, int s, int B, float v[n][3])
{
    meta_schedule {
        meta_for (int i = 0; i < (n + s * B - 1) / (s * B); i++)
            meta_for (int j = 0; j < B; j++)
                for (int k = 0; k < s; k++) {
                    int p = (i * s + k) * B + j;
                    if (p < n) {
                        float x = v[p][0], y = v[p][1], z = v[p][2];
                        float r = 1.0f / sqrtf(x * x + y * y + z * z + 1e-6f);
                        v[p][0] = x * r;
                        v[p][1] = y * r;
                        v[p][2] = z * r;
                    }
                }
    }
}
