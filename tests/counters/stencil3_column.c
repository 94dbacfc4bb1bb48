// SET: N=11,B0=4,B1=4
// SET: N=8,B0=2,B1=3
// RUN: %treefork verify %s --set N=11,B0=4,B1=4 --set N=8,B0=2,B1=3 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// A thread walks up a column and keeps three cells of it in locals.
#include <metafork.h>
void stencil3_column(int N, int B0, int B1, float r, const float a[N][N][N], float b[N][N][N])
{
    int dim0 = (N - 2 + B0 - 1) / B0, dim1 = (N - 2 + B1 - 1) / B1;
    meta_schedule {
        meta_for (int i = 0; i < dim0; i++)
            meta_for (int j = 0; j < dim1; j++)
                meta_for (int u = 0; u < B0; u++)
                    meta_for (int v = 0; v < B1; v++) {
                        int y = i * B0 + u + 1, x = j * B1 + v + 1;
                        if (y < N - 1 && x < N - 1) {
                            float below = a[0][y][x], here = a[1][y][x];
                            for (int z = 1; z < N - 1; z++) {
                                float above = a[z + 1][y][x];
                                b[z][y][x] = here + r * (below + above + a[z][y - 1][x] + a[z][y + 1][x] +
                                                         a[z][y][x - 1] + a[z][y][x + 1] - 6.0f * here);
                                below = here;
                                here = above;
                            }
                        }
                    }
    }
}
