// SET: h=9,w=14,B0=2,B1=4
// SET: h=4,w=7,B0=3,B1=2
// RUN: %treefork verify %s --set h=9,w=14,B0=2,B1=4 --set h=4,w=7,B0=3,B1=2 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Brightness by pow and exp2, one band of two axes.
#include <metafork.h>
#include <math.h>
void gamma_curve(int h, int w, int B0, int B1, float g, const float a[h][w], float b[h][w])
{
    meta_schedule {
        meta_for (int i = 0; i < (h + B0 - 1) / B0; i++)
            meta_for (int j = 0; j < (w + B1 - 1) / B1; j++)
                meta_for (int u = 0; u < B0; u++)
                    meta_for (int v = 0; v < B1; v++) {
                        int y = i * B0 + u, x = j * B1 + v;
                        if (y < h && x < w)
                            b[y][x] = powf(fabsf(a[y][x]) + 0.01f, 1.0f / g) + exp2f(-0.01f * fabsf(a[y][x]));
                    }
    }
}
