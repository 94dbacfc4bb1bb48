// SET: N=24,s0=2,s1=3,B0=2,B1=2
// SET: N=5,s0=1,s1=1,B0=2,B1=3
// SET: N=64,s0=2,s1=4,B0=4,B1=4
// RUN: %treefork verify %s --set N=24,s0=2,s1=3,B0=2,B1=2 --set N=5,s0=1,s1=1,B0=2,B1=3 --set N=64,s0=2,s1=4,B0=4,B1=4 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Two granularity loops, one for each dimension.
#include <metafork.h>
void two_grains(int N, int s0, int s1, int B0, int B1, const int a[N][N], int c[N][N])
{
    int d0 = N / (s0 * B0), d1 = N / (s1 * B1);
    meta_schedule cache(a, c) {
        meta_for (int i = 0; i < d0; i++)
            meta_for (int j = 0; j < d1; j++)
                meta_for (int v = 0; v < B0; v++)
                    meta_for (int u = 0; u < B1; u++)
                        for (int k = 0; k < s0; k++)
                            for (int l = 0; l < s1; l++) {
                                int y = (i * s0 + k) * B0 + v, x = (j * s1 + l) * B1 + u;
                                c[y][x] = c[y][x] * 2 + a[y][x];
                            }
    }
}
