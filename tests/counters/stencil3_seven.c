// SET: N=12,s=2,B0=1,B1=2,B2=4
// SET: N=9,s=1,B0=2,B1=3,B2=2
// RUN: %treefork verify %s --set N=12,s=2,B0=1,B1=2,B2=4 --set N=9,s=1,B0=2,B1=3,B2=2 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Seven points in three dimensions, float, ceilings and guards.
#include <metafork.h>
void stencil3_seven(int N, int s, int B0, int B1, int B2, float c0, float c1, const float a[N][N][N], float b[N][N][N])
{
    int d0 = (N - 2 + s * B0 - 1) / (s * B0), d1 = (N - 2 + B1 - 1) / B1, d2 = (N - 2 + B2 - 1) / B2;
    meta_schedule cache(a) {
        meta_for (int i = 0; i < d0; i++)
            meta_for (int j = 0; j < d1; j++)
                meta_for (int k = 0; k < d2; k++)
                    meta_for (int u = 0; u < B0; u++)
                        meta_for (int v = 0; v < B1; v++)
                            meta_for (int w = 0; w < B2; w++)
                                for (int c = 0; c < s; c++) {
                                    int z = (i * s + c) * B0 + u + 1, y = j * B1 + v + 1, x = k * B2 + w + 1;
                                    if (z < N - 1 && y < N - 1 && x < N - 1)
                                        b[z][y][x] = c0 * a[z][y][x] +
                                                     c1 * (a[z - 1][y][x] + a[z + 1][y][x] + a[z][y - 1][x] +
                                                           a[z][y + 1][x] + a[z][y][x - 1] + a[z][y][x + 1]);
                                }
    }
}
