// SET: h=9,w=13,B0=2,B1=4,x0=-2,y0=-1.2,step=0.25
// SET: h=1,w=1,B0=1,B1=1,x0=0,y0=0,step=1
// SET: h=24,w=32,B0=8,B1=8,x0=-2,y0=-1.5,step=0.1
// RUN: %treefork verify %s --set h=9,w=13,B0=2,B1=4,x0=-2,y0=-1.2,step=0.25 --set h=1,w=1,B0=1,B1=1,x0=0,y0=0,step=1 --set h=24,w=32,B0=8,B1=8,x0=-2,y0=-1.5,step=0.1 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Escape times with a fixed number of rounds.
#include <metafork.h>
#define ROUNDS 30
void mandelbrot(int h, int w, int B0, int B1, double x0, double y0, double step, unsigned char out[h][w])
{
    meta_schedule {
        meta_for (int i = 0; i < (h + B0 - 1) / B0; i++)
            meta_for (int j = 0; j < (w + B1 - 1) / B1; j++)
                meta_for (int v = 0; v < B0; v++)
                    meta_for (int u = 0; u < B1; u++) {
                        int y = i * B0 + v, x = j * B1 + u;
                        double cr = x0 + x * step, ci = y0 + y * step, zr = 0, zi = 0;
                        unsigned char escaped = 0;
                        if (y < h && x < w) {
                            for (int k = 0; k < ROUNDS; k++)
                                if (!escaped) {
                                    double next = zr * zr - zi * zi + cr;
                                    zi = 2 * zr * zi + ci;
                                    zr = next;
                                    if (zr * zr + zi * zi > 4)
                                        escaped = (unsigned char)(k + 1);
                                }
                            out[y][x] = escaped;
                        }
                    }
    }
}
