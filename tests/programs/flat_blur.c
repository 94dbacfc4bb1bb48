// SET: w=19,h=14,bw=4,bh=3,s=2
// SET: w=3,h=3,bw=1,bh=1,s=1
// SET: w=34,h=18,bw=8,bh=8,s=1
// RUN: %treefork verify %s --set w=19,h=14,bw=4,bh=3,s=2 --set w=3,h=3,bw=1,bh=1,s=1 --set w=34,h=18,bw=8,bh=8,s=1 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// A five-point blur of a flat image: rows found in linear indices.
#include <metafork.h>
#define AT(img, y, x) img[(y) * w + (x)]
void flat_blur(int w, int h, int bw, int bh, int s, const float *restrict src, float *restrict dst)
{
    int gy = (h - 2) / bh, gx = (w - 2) / (bw * s);
    meta_schedule cache(src) {
        meta_for (int i = 0; i < gy; i++)
            meta_for (int j = 0; j < gx; j++)
                meta_for (int u = 0; u < bh; u++)
                    meta_for (int v = 0; v < bw; v++)
                        for (int k = 0; k < s; k++) {
                            int y = i * bh + u + 1, x = (j * s + k) * bw + v + 1;
                            AT(dst, y, x) = (AT(src, y, x) * 4 + AT(src, y - 1, x) + AT(src, y + 1, x) +
                                             AT(src, y, x - 1) + AT(src, y, x + 1)) * 0.125f;
                        }
    }
}
