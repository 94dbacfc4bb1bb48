// SET: n=24,B=4
// SET: n=10,B=2
// RUN: %treefork verify %s --set n=24,B=4 --set n=10,B=2 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Forces between bodies: positions staged piece by piece, reciprocal root in the loop.
#include <metafork.h>
#include <math.h>
void bodies(int n, int B, float soft, const float q[n][4], float f[n][3])
{
    meta_schedule cache(q) {
        meta_for (int i = 0; i < n / B; i++)
            for (int k = 0; k < n / B; k++)
                meta_for (int j = 0; j < B; j++) {
                    int p = i * B + j;
                    float fx = f[p][0], fy = f[p][1], fz = f[p][2];
                    for (int z = 0; z < B; z++) {
                        int o = k * B + z;
                        float dx = q[o][0] - q[p][0], dy = q[o][1] - q[p][1], dz = q[o][2] - q[p][2];
                        float r2 = dx * dx + dy * dy + dz * dz + soft * soft + 0.01f;
                        float r = 1.0f / sqrtf(r2);
                        float m = q[o][3] * r * r * r;
                        fx += m * dx;
                        fy += m * dy;
                        fz += m * dz;
                    }
                    f[p][0] = fx;
                    f[p][1] = fy;
                    f[p][2] = fz;
                }
    }
}
