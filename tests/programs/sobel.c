// SET: h=15,w=21,B0=4,B1=4
// SET: h=3,w=3,B0=1,B1=1
// SET: h=34,w=50,B0=8,B1=16
// RUN: %treefork verify %s --set h=15,w=21,B0=4,B1=4 --set h=3,w=3,B0=1,B1=1 --set h=34,w=50,B0=8,B1=16 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Edges of a byte image as 16-bit magnitudes; the image staged with its halo.
#include <metafork.h>
#include <stdint.h>
#include <stdlib.h>
void sobel(int h, int w, int B0, int B1, const uint8_t img[restrict h][w], int16_t edge[restrict h][w])
{
    meta_schedule cache(img) {
        meta_for (int i = 0; i < (h - 2 + B0 - 1) / B0; i++)
            meta_for (int j = 0; j < (w - 2 + B1 - 1) / B1; j++)
                meta_for (int v = 0; v < B0; v++)
                    meta_for (int u = 0; u < B1; u++) {
                        int y = i * B0 + v + 1, x = j * B1 + u + 1;
                        if (y < h - 1 && x < w - 1) {
                            int gx = img[y - 1][x + 1] + 2 * img[y][x + 1] + img[y + 1][x + 1] - img[y - 1][x - 1] -
                                     2 * img[y][x - 1] - img[y + 1][x - 1];
                            int gy = img[y + 1][x - 1] + 2 * img[y + 1][x] + img[y + 1][x + 1] - img[y - 1][x - 1] -
                                     2 * img[y - 1][x] - img[y - 1][x + 1];
                            edge[y][x] = (int16_t)(abs(gx) + abs(gy));
                        }
                    }
    }
}
