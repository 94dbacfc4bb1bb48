// SET: n=26,B0=3,B1=5,m=9
// SET: n=2,B0=2,B1=4,m=1
// SET: n=64,B0=8,B1=4,m=33
// RUN: %treefork verify %s --set n=26,B0=3,B1=5,m=9 --set n=2,B0=2,B1=4,m=1 --set n=64,B0=8,B1=4,m=33 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// One grid axis over two block axes: rows in the grid, a tile of each row's block in two dimensions.
#include <metafork.h>
void tall(int n, int m, int B0, int B1, const short a[n][m], int b[n][m])
{
    meta_schedule {
        meta_for (int i = 0; i < (n + B0 - 1) / B0; i++) {
            ;
            meta_for (int v = 0; v < B0; v++)
                meta_for (int u = 0; u < B1; u++)
                    for (int x = u; x < m; x += B1)
                        if (i * B0 + v < n)
                            b[i * B0 + v][x] = a[i * B0 + v][m - 1 - x] * (x + 1);
        }
    }
}
