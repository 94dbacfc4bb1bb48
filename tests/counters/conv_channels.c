// SET: c=3,h=10,w=12,B0=1,B1=2,B2=4
// SET: c=2,h=6,w=7,B0=2,B1=2,B2=2
// RUN: %treefork verify %s --set c=3,h=10,w=12,B0=1,B1=2,B2=4 --set c=2,h=6,w=7,B0=2,B1=2,B2=2 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// A 3 by 3 filter of its own for each channel.
#include <metafork.h>
void conv_channels(int c, int h, int w, int B0, int B1, int B2, const float f[c][3][3], const float a[c][h][w],
                   float b[c][h][w])
{
    meta_schedule cache(a) {
        meta_for (int i = 0; i < c / B0; i++)
            meta_for (int j = 0; j < (h - 2) / B1; j++)
                meta_for (int k = 0; k < (w - 2) / B2; k++)
                    meta_for (int t = 0; t < B0; t++)
                        meta_for (int u = 0; u < B1; u++)
                            meta_for (int v = 0; v < B2; v++) {
                                int z = i * B0 + t, y = j * B1 + u, x = k * B2 + v;
                                float sum = 0.0f;
                                for (int p = 0; p < 3; p++)
                                    for (int q = 0; q < 3; q++)
                                        sum += f[z][p][q] * a[z][y + p][x + q];
                                b[z][y][x] = sum;
                            }
    }
}
