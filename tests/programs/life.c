// SET: gens=3,h=11,w=14,g=0,B0=3,B1=4
// SET: gens=1,h=1,w=1,g=1,B0=1,B1=1
// SET: gens=2,h=32,w=24,g=3,B0=8,B1=8
// RUN: %treefork verify %s --set gens=3,h=11,w=14,B0=3,B1=4 --set gens=1,h=1,w=1,B0=1,B1=1 --set gens=2,h=32,w=24,B0=8,B1=8 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// The game of life on a torus of bytes, two arrays by turns.
#include <metafork.h>
static inline int wrap(int x, int n)
{
    return (x + n) % n;
}
void life(int gens, int h, int w, int B0, int B1, unsigned char even[h][w], unsigned char odd[h][w])
{
    for (int g = 0; g < gens; g++)
        meta_schedule {
            meta_for (int i = 0; i < (h + B0 - 1) / B0; i++)
                meta_for (int j = 0; j < (w + B1 - 1) / B1; j++)
                    meta_for (int v = 0; v < B0; v++)
                        meta_for (int u = 0; u < B1; u++) {
                            int y = i * B0 + v, x = j * B1 + u;
                            if (y < h && x < w) {
                                int alive = 0;
                                for (int dy = -1; dy <= 1; dy++)
                                    for (int dx = -1; dx <= 1; dx++)
                                        if (dy != 0 || dx != 0) {
                                            if (g & 1)
                                                alive += odd[wrap(y + dy, h)][wrap(x + dx, w)] & 1;
                                            else
                                                alive += even[wrap(y + dy, h)][wrap(x + dx, w)] & 1;
                                        }
                                if (g & 1)
                                    even[y][x] = alive == 3 || (alive == 2 && (odd[y][x] & 1));
                                else
                                    odd[y][x] = alive == 3 || (alive == 2 && (even[y][x] & 1));
                            }
                        }
        }
}
