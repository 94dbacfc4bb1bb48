// SET: T=2,N=18,B0=4,B1=4
// SET: T=1,N=11,B0=2,B1=5
// RUN: %treefork verify %s --set T=2,N=18,B0=4,B1=4 --set T=1,N=11,B0=2,B1=5 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// A field in two dimensions on staggered cells: three regions a step.
#include <metafork.h>
void yee(int T, int N, int B0, int B1, float ex[N][N], float ey[N][N], float hz[N][N])
{
    int dim0 = (N - 2) / B0, dim1 = (N - 2) / B1;
    for (int t = 0; t < T; t++) {
        meta_schedule cache(hz) {
            meta_for (int i = 0; i < dim0; i++)
                meta_for (int j = 0; j < dim1; j++)
                    meta_for (int u = 0; u < B0; u++)
                        meta_for (int v = 0; v < B1; v++) {
                            int y = i * B0 + u + 1, x = j * B1 + v + 1;
                            ey[y][x] -= 0.5f * (hz[y][x] - hz[y - 1][x]);
                            ex[y][x] -= 0.5f * (hz[y][x] - hz[y][x - 1]);
                        }
        }
        meta_schedule cache(ex, ey) {
            meta_for (int i = 0; i < dim0; i++)
                meta_for (int j = 0; j < dim1; j++)
                    meta_for (int u = 0; u < B0; u++)
                        meta_for (int v = 0; v < B1; v++) {
                            int y = i * B0 + u + 1, x = j * B1 + v + 1;
                            hz[y][x] -= 0.7f * (ex[y][x + 1] - ex[y][x] + ey[y + 1][x] - ey[y][x]);
                        }
        }
    }
}
