// SET: h=13,w=17,B0=4,B1=8
// SET: h=1,w=1,B0=4,B1=4
// SET: h=32,w=48,B0=8,B1=16
// RUN: %treefork verify %s --set h=13,w=17,B0=4,B1=8 --set h=1,w=1,B0=4,B1=4 --set h=32,w=48,B0=8,B1=16 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Grey values of an image of three bytes a pixel.
#include <metafork.h>
void grey(int h, int w, int B0, int B1, const unsigned char rgb[h][w][3], unsigned char out[h][w])
{
    meta_schedule {
        meta_for (int by = 0; by * B0 < h; by++)
            meta_for (int bx = 0; bx <= (w - 1) / B1; bx++)
                meta_for (int ty = 0; ty < B0; ty++)
                    meta_for (int tx = 0; tx < B1; tx++) {
                        int y = by * B0 + ty;
                        int x = bx * B1 + tx;
                        if (y < h && x < w)
                            out[y][x] = (unsigned char)((77 * rgb[y][x][0] + 150 * rgb[y][x][1] + 29 * rgb[y][x][2]) >> 8);
                    }
    }
}
