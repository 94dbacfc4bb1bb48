// SET: rounds=2,colour=1,N=18,B0=4,B1=2
// SET: rounds=3,colour=0,N=4,B0=1,B1=1
// SET: rounds=1,colour=0,N=34,B0=8,B1=8
// RUN: %treefork verify %s --set rounds=2,N=18,B0=4,B1=2 --set rounds=3,N=4,B0=1,B1=1 --set rounds=1,N=34,B0=8,B1=8 --witness %witnesses --device-runs once | FileCheck %s
// RUN: %treefork -d access %s 2>&1 | FileCheck --check-prefix=ACCESS --implicit-check-not=warning %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// ACCESS: parallel: proved
// Red-black relaxation out of place: the columns of one colour are two apart and begin by the parity of the row.
#include <metafork.h>
void redblack(int rounds, int N, int B0, int B1, const double f[N][N], double u[N][N], double v[N][N])
{
    for (int colour = 0; colour < rounds; colour++)
        meta_schedule cache(u, f) {
            meta_for (int i = 0; i < (N - 2) / B0; i++)
                meta_for (int j = 0; j < (N - 2) / (2 * B1); j++)
                    meta_for (int ty = 0; ty < B0; ty++)
                        meta_for (int tx = 0; tx < B1; tx++) {
                            int y = 1 + i * B0 + ty;
                            int x = 1 + 2 * (j * B1 + tx) + (y + colour) % 2;
                            v[y][x] = 0.25 * (u[y][x - 1] + u[y][x + 1] + u[y - 1][x] + u[y + 1][x] - f[y][x]);
                        }
        }
}
