// SET: h=17,w=21,B0=4,B1=4
// SET: h=8,w=13,B0=2,B1=3
// RUN: %treefork verify %s --set h=17,w=21,B0=4,B1=4 --set h=8,w=13,B0=2,B1=3 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// A 5 by 5 filter at every second point of an image, double.
#include <metafork.h>
void conv2_strided(int h, int w, int B0, int B1, const double f[5][5], const double a[h][w], double b[h][w])
{
    int rows = (h - 5) / 2 + 1, columns = (w - 5) / 2 + 1;
    meta_schedule cache(f) {
        meta_for (int i = 0; i < (rows + B0 - 1) / B0; i++)
            meta_for (int j = 0; j < (columns + B1 - 1) / B1; j++)
                meta_for (int u = 0; u < B0; u++)
                    meta_for (int v = 0; v < B1; v++) {
                        int y = i * B0 + u, x = j * B1 + v;
                        if (2 * y + 5 <= h && 2 * x + 5 <= w) {
                            double sum = 0.0;
                            for (int p = 0; p < 5; p++)
                                for (int q = 0; q < 5; q++)
                                    sum += f[p][q] * a[2 * y + p][2 * x + q];
                            b[y][x] = sum;
                        }
                    }
    }
}
