// SET: n=9,m=7,B0=2,B1=3
// SET: n=1,m=1,B0=2,B1=2
// SET: n=32,m=16,B0=8,B1=8
// RUN: %treefork verify %s --set n=9,m=7,B0=2,B1=3 --set n=1,m=1,B0=2,B1=2 --set n=32,m=16,B0=8,B1=8 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// The maximum of each two by two cell.
#include <math.h>
#include <metafork.h>
void pooling(int n, int m, int B0, int B1, const float in[2 * n][2 * m], float out[n][m])
{
    meta_schedule cache(in) {
        meta_for (int i = 0; i < (n + B0 - 1) / B0; i++)
            meta_for (int j = 0; j < (m + B1 - 1) / B1; j++)
                meta_for (int v = 0; v < B0; v++)
                    meta_for (int u = 0; u < B1; u++) {
                        int y = i * B0 + v, x = j * B1 + u;
                        if (y < n && x < m)
                            out[y][x] = fmaxf(fmaxf(in[2 * y][2 * x], in[2 * y][2 * x + 1]),
                                              fmaxf(in[2 * y + 1][2 * x], in[2 * y + 1][2 * x + 1]));
                    }
    }
}
