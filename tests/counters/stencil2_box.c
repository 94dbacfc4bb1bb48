// SET: h=19,w=26,s=2,B0=4,B1=4
// SET: h=9,w=14,s=3,B0=3,B1=2
// RUN: %treefork verify %s --set h=19,w=26,s=2,B0=4,B1=4 --set h=9,w=14,s=3,B0=3,B1=2 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Nine points with nine weights, several columns a thread.
#include <metafork.h>
void stencil2_box(int h, int w, int s, int B0, int B1, const float c[3][3], const float a[h][w], float b[h][w])
{
    int dim0 = (h - 2 + B0 - 1) / B0, dim1 = (w - 2 + s * B1 - 1) / (s * B1);
    meta_schedule cache(a, c) {
        meta_for (int i = 0; i < dim0; i++)
            meta_for (int j = 0; j < dim1; j++)
                meta_for (int u = 0; u < B0; u++)
                    meta_for (int v = 0; v < B1; v++)
                        for (int k = 0; k < s; k++) {
                            int y = i * B0 + u + 1, x = (j * s + k) * B1 + v + 1;
                            if (y < h - 1 && x < w - 1) {
                                float sum = 0.0f;
                                for (int dy = 0; dy < 3; dy++)
                                    for (int dx = 0; dx < 3; dx++)
                                        sum += c[dy][dx] * a[y + dy - 1][x + dx - 1];
                                b[y][x] = sum;
                            }
                        }
    }
}
