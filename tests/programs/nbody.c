// SET: bodies=40,tile=8
// SET: bodies=12,tile=5
// SET: bodies=96,tile=32
// RUN: %treefork verify %s --set bodies=40,tile=8 --set bodies=12,tile=5 --set bodies=96,tile=32 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// All pairs, tile by tile: a serial loop between the bands, sums kept from tile to tile.
#include <math.h>
#include <metafork.h>
static inline float inverse_cube(float dx, float dy, float dz)
{
    float d2 = dx * dx + dy * dy + dz * dz + 0.01f;
    float inv = 1.0f / sqrtf(d2);
    return inv * inv * inv;
}
void nbody(int bodies, int tile, const float *restrict px, const float *restrict py, const float *restrict pz,
           const float *restrict mass, float *restrict fx, float *restrict fy, float *restrict fz)
{
    meta_schedule cache(px, py, pz, mass) {
        meta_for (int b = 0; b < bodies / tile; b++)
            for (int other = 0; other < bodies / tile; other++)
                meta_for (int j = 0; j < tile; j++) {
                    int me = b * tile + j;
                    for (int k = 0; k < tile; k++) {
                        int it = other * tile + k;
                        float dx = px[it] - px[me], dy = py[it] - py[me], dz = pz[it] - pz[me];
                        float w = mass[it] * inverse_cube(dx, dy, dz);
                        fx[me] += w * dx;
                        fy[me] += w * dy;
                        fz[me] += w * dz;
                    }
                }
    }
}
