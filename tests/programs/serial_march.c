// SET: h=12,w=18,B=4,mode=0
// SET: h=9,w=11,B=3,mode=1
// SET: h=2,w=6,B=2,mode=1
// RUN: %treefork verify %s --set h=12,w=18,B=4,mode=0 --set h=9,w=11,B=3,mode=1 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Nine points of a picture, each thread marching down a column: the three rows are handed down. With `mode` the corners are
// left out, a condition that stays the same during the march.
#include <metafork.h>
void serial_march(int h, int w, int B, int mode, const int in[h][w], int out[restrict h][w])
{
    meta_schedule {
        meta_for (int i = 0; i < (w - 2 + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int x = i * B + j + 1;
                if (x < w - 1)
                    for (int y = 1; y < h - 1; y++) {
                        int sum = in[y - 1][x] + in[y][x] + in[y + 1][x] + in[y][x - 1] + in[y][x + 1];
                        if (mode == 0)
                            sum += in[y - 1][x - 1] + in[y + 1][x - 1] + in[y - 1][x + 1] + in[y + 1][x + 1];
                        out[y][x] = sum;
                    }
            }
    }
}
