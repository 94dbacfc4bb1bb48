// SET: w=13,h=7,pitch=41,pad=3,B=4
// SET: w=1,h=1,pitch=3,pad=0,B=1
// SET: w=8,h=3,pitch=24,pad=-2,B=8
// RUN: %treefork verify %s --set w=13,h=7,pitch=41,pad=3,B=4 --set w=1,h=1,pitch=3,pad=0,B=1 --set w=8,h=3,pitch=24,pad=-2,B=8 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Rows at a pitch that is no extent of the grid, and at one that is a sum whose sign is open; nothing declares how many
// elements the arrays have.
#include <metafork.h>
void pitched(int w, int h, int pitch, int pad, int B, const unsigned char *rgb, const short *plane, unsigned char *grey)
{
    meta_schedule {
        meta_for (int y = 0; y < h; y++)
            meta_for (int g = 0; g < (w + B - 1) / B; g++) {
                int row = y * pitch;
                meta_for (int j = 0; j < B; j++) {
                    int x = g * B + j;
                    if (x < w)
                        grey[y * w + x] = (unsigned char)((rgb[row + 3 * x] + rgb[row + 3 * x + 1] + rgb[row + 3 * x + 2]) / 3 +
                                                          plane[(w + pad) * y]);
                }
            }
    }
}
