// SET: rounds=3,now=0,N=17,B0=4,B1=5
// SET: rounds=1,now=1,N=3,B0=1,B1=1
// SET: rounds=4,now=1,N=26,B0=8,B1=3
// RUN: %treefork verify %s --set rounds=3,N=17,B0=4,B1=5 --set rounds=1,N=3,B0=1,B1=1 --set rounds=4,N=26,B0=8,B1=3 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Two planes by turns, the turn an index: planes[now] is written, planes[1 - now] read.
#include <metafork.h>
void planes(int rounds, int N, int B0, int B1, int grid[2][N][N])
{
    for (int t = 0; t < rounds; t++) {
        int now = t % 2;
        meta_schedule cache(grid) {
            meta_for (int i = 0; i < (N - 2) / B0; i++)
                meta_for (int j = 0; j < (N - 2) / B1; j++)
                    meta_for (int v = 0; v < B0; v++)
                        meta_for (int u = 0; u < B1; u++) {
                            int y = i * B0 + v + 1, x = j * B1 + u + 1;
                            grid[now][y][x] = (grid[1 - now][y][x - 1] + grid[1 - now][y][x + 1] +
                                               grid[1 - now][y - 1][x] + grid[1 - now][y + 1][x]) / 4;
                        }
        }
    }
}
