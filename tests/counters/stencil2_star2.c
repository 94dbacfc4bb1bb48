// SET: N=20,s=2,B0=4,B1=4
// SET: N=13,s=1,B0=3,B1=3
// RUN: %treefork verify %s --set N=20,s=2,B0=4,B1=4 --set N=13,s=1,B0=3,B1=3 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// A star of radius two in double, fourth order.
#include <metafork.h>
void stencil2_star2(int N, int s, int B0, int B1, double r, const double a[restrict N][N], double b[restrict N][N])
{
    int dim0 = (N - 4) / (s * B0), dim1 = (N - 4) / B1;
    meta_schedule cache(a) {
        meta_for (int i = 0; i < dim0; i++)
            meta_for (int j = 0; j < dim1; j++)
                meta_for (int u = 0; u < B0; u++)
                    meta_for (int v = 0; v < B1; v++)
                        for (int k = 0; k < s; k++) {
                            int y = (i * s + k) * B0 + u + 2, x = j * B1 + v + 2;
                            double near = a[y - 1][x] + a[y + 1][x] + a[y][x - 1] + a[y][x + 1];
                            double far = a[y - 2][x] + a[y + 2][x] + a[y][x - 2] + a[y][x + 2];
                            b[y][x] = a[y][x] + r * (16.0 * near - far - 60.0 * a[y][x]) / 12.0;
                        }
    }
}
