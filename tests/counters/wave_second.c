// SET: T=2,N=18,B0=4,B1=4
// SET: T=1,N=10,B0=2,B1=4,t=2
// RUN: %treefork verify %s --set T=2,N=18,B0=4,B1=4 --set T=1,N=10,B0=2,B1=4 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Waves of second order in time: three planes of one array take turns.
#include <metafork.h>
void wave_second(int T, int N, int B0, int B1, double c, double u[3][N][N])
{
    int dim0 = (N - 2) / B0, dim1 = (N - 2) / B1;
    for (int t = 0; t < T; t++)
        meta_schedule {
            meta_for (int i = 0; i < dim0; i++)
                meta_for (int j = 0; j < dim1; j++)
                    meta_for (int v = 0; v < B0; v++)
                        meta_for (int w = 0; w < B1; w++) {
                            int y = i * B0 + v + 1, x = j * B1 + w + 1;
                            int old = t % 3, now = (t + 1) % 3, new = (t + 2) % 3;
                            u[new][y][x] = 2.0 * u[now][y][x] - u[old][y][x] +
                                           c * (u[now][y - 1][x] + u[now][y + 1][x] + u[now][y][x - 1] +
                                                u[now][y][x + 1] - 4.0 * u[now][y][x]);
                        }
        }
}
