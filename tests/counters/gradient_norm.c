// SET: h=18,w=27,s=2,B0=4,B1=4
// SET: h=9,w=8,s=1,B0=3,B1=2
// RUN: %treefork verify %s --set h=18,w=27,s=2,B0=4,B1=4 --set h=9,w=8,s=1,B0=3,B1=2 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Length of the gradient by square roots, with its reciprocal.
#include <metafork.h>
#include <math.h>
void gradient_norm(int h, int w, int s, int B0, int B1, const float a[h][w], float g[h][w], float r[h][w])
{
    int dim0 = (h - 2 + B0 - 1) / B0, dim1 = (w - 2 + s * B1 - 1) / (s * B1);
    meta_schedule cache(a) {
        meta_for (int i = 0; i < dim0; i++)
            meta_for (int j = 0; j < dim1; j++)
                meta_for (int u = 0; u < B0; u++)
                    meta_for (int v = 0; v < B1; v++)
                        for (int k = 0; k < s; k++) {
                            int y = i * B0 + u + 1, x = (j * s + k) * B1 + v + 1;
                            if (y < h - 1 && x < w - 1) {
                                float gx = 0.5f * (a[y][x + 1] - a[y][x - 1]);
                                float gy = 0.5f * (a[y + 1][x] - a[y - 1][x]);
                                float length = sqrtf(gx * gx + gy * gy + 1.0f);
                                g[y][x] = length;
                                r[y][x] = 1.0f / length;
                            }
                        }
    }
}
