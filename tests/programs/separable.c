// SET: h=13,w=18,B=4
// SET: h=2,w=5,B=2
// SET: h=30,w=66,B=16
// RUN: %treefork verify %s --set h=13,w=18,B=4 --set h=2,w=5,B=2 --set h=30,w=66,B=16 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Two bands in a row of blocks: columns into a temporary row, then the row itself with neighbours inside the block.
#include <metafork.h>
void separable(int h, int w, int B, const float in[h + 2][w], float tmp[h][w], float out[h][w])
{
    meta_schedule cache(in, tmp) {
        meta_for (int y = 0; y < h; y++)
            meta_for (int bx = 0; bx < w / B; bx++) {
                int x0 = bx * B;
                meta_for (int t = 0; t < B; t++)
                    tmp[y][x0 + t] = in[y][x0 + t] + 2 * in[y + 1][x0 + t] + in[y + 2][x0 + t];
                meta_for (int t = 0; t < B; t++) {
                    float left = t > 0 ? tmp[y][x0 + t - 1] : 0, right = t < B - 1 ? tmp[y][x0 + t + 1] : 0;
                    out[y][x0 + t] = left + 2 * tmp[y][x0 + t] + right;
                }
            }
    }
}
