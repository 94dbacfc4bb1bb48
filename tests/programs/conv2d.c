// SET: h=19,w=23,by=4,bx=3,s=2
// SET: h=8,w=8,by=2,bx=2,s=1
// SET: h=35,w=18,by=8,bx=4,s=4
// RUN: %treefork verify %s --set h=19,w=23,by=4,bx=3,s=2 --set h=8,w=8,by=2,bx=2,s=1 --set h=35,w=18,by=8,bx=4,s=4 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// A 3 by 3 convolution of an image, the mask an argument of constant size, several columns a thread.
#include <metafork.h>
#define K 3
void conv2d(int h, int w, int by, int bx, int s, const int mask[K][K], const int image[h][w], int out[h - K + 1][w - K + 1])
{
    const int oh = h - K + 1, ow = w - K + 1;
    meta_schedule cache(image, mask) {
        meta_for (int bi = 0; bi < oh / by; bi++)
            meta_for (int bj = 0; bj < ow / (bx * s); bj++)
                meta_for (int ti = 0; ti < by; ti++)
                    meta_for (int tj = 0; tj < bx; tj++)
                        for (int c = 0; c < s; c++) {
                            int row = bi * by + ti, col = (bj * s + c) * bx + tj;
                            int sum = 0;
                            for (int y = 0; y < K; y++)
                                for (int x = 0; x < K; x++)
                                    sum += mask[y][x] * image[row + y][col + x];
                            out[row][col] = sum;
                        }
    }
}
