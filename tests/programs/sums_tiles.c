// SET: n=45,m=70,B0=3,B1=7
// SET: n=0,m=5,B0=2,B1=3
// SET: n=7,m=1,B0=8,B1=8
// RUN: %treefork verify %s --set n=45,m=70,B0=3,B1=7 --set n=0,m=5,B0=2,B1=3 --set n=7,m=1,B0=8,B1=8 --witness %witnesses --device-runs once | FileCheck %s
// RUN: %treefork dump leaves %s | FileCheck %s --check-prefix=LEAVES
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Sums beside tiles: the lanes of a tree and the tiles lie behind each other in shared memory.
#include <metafork.h>
// LEAVES: shared double most_lanes{{.*}} at 0
// LEAVES: shared float y_lanes{{.*}} at B0 * B1 * 8
// LEAVES: shared float shared_x[B1] at {{.*}} of x
void tiles(int n, int m, int B0, int B1, float y[n], double most[1], const float a[n][m],
           const float x[m])
{
    meta_schedule cache(x) meta_reduce(+, y) meta_reduce(max, most) {
        meta_for (int bi = 0; bi < (n + B0 - 1) / B0; bi++)
            meta_for (int bj = 0; bj < (m + B1 - 1) / B1; bj++)
                meta_for (int ti = 0; ti < B0; ti++)
                    meta_for (int tj = 0; tj < B1; tj++) {
                        int i = bi * B0 + ti, j = bj * B1 + tj;
                        if (i < n && j < m) {
                            y[i] += a[i][j] * x[j];
                            if (a[i][j] > most[0])
                                most[0] = a[i][j];
                        }
                    }
    }
}
