// SET: N=10,B0=2,B1=2,B2=4
// SET: N=7,B0=1,B1=5,B2=2
// RUN: %treefork verify %s --set N=10,B0=2,B1=2,B2=4 --set N=7,B0=1,B1=5,B2=2 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Twenty-seven points by three loops in a thread, double.
#include <metafork.h>
void stencil3_cube(int N, int B0, int B1, int B2, const double w[3], const double a[N][N][N], double b[N][N][N])
{
    meta_schedule cache(a) {
        meta_for (int i = 0; i < (N - 2) / B0; i++)
            meta_for (int j = 0; j < (N - 2) / B1; j++)
                meta_for (int k = 0; k < (N - 2) / B2; k++)
                    meta_for (int u = 0; u < B0; u++)
                        meta_for (int v = 0; v < B1; v++)
                            meta_for (int x = 0; x < B2; x++) {
                                int p = i * B0 + u, q = j * B1 + v, r = k * B2 + x;
                                double sum = 0.0;
                                for (int dz = 0; dz < 3; dz++)
                                    for (int dy = 0; dy < 3; dy++)
                                        for (int dx = 0; dx < 3; dx++)
                                            sum += w[dz] * w[dy] * w[dx] * a[p + dz][q + dy][r + dx];
                                b[p + 1][q + 1][r + 1] = sum;
                            }
    }
}
