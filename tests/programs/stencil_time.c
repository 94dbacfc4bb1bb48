// SET: T=2,N=16,B0=3,B1=4
// SET: T=1,N=3,B0=2,B1=2
// SET: T=3,N=34,B0=8,B1=8
// RUN: %treefork verify %s --set T=2,N=16,B0=3,B1=4 --set T=1,N=3,B0=2,B1=2 --set T=3,N=34,B0=8,B1=8 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Two regions per round, from one array to the other and back, each staging what it reads.
#include <metafork.h>
#define INNER(N, B) (((N) - 2 + (B) - 1) / (B))
void stencil_time(int T, int N, int B0, int B1, double a[N][N], double b[N][N])
{
    for (int t = 0; t < T; t++) {
        meta_schedule cache(a) {
            meta_for (int i = 0; i < INNER(N, B0); i++)
                meta_for (int j = 0; j < INNER(N, B1); j++)
                    meta_for (int v = 0; v < B0; v++)
                        meta_for (int u = 0; u < B1; u++) {
                            int y = i * B0 + v + 1, x = j * B1 + u + 1;
                            if (y < N - 1 && x < N - 1)
                                b[y][x] = 0.2 * (a[y][x] + a[y - 1][x] + a[y + 1][x] + a[y][x - 1] + a[y][x + 1]);
                        }
        }
        meta_schedule cache(b) {
            meta_for (int i = 0; i < INNER(N, B0); i++)
                meta_for (int j = 0; j < INNER(N, B1); j++)
                    meta_for (int v = 0; v < B0; v++)
                        meta_for (int u = 0; u < B1; u++) {
                            int y = i * B0 + v + 1, x = j * B1 + u + 1;
                            if (y < N - 1 && x < N - 1)
                                a[y][x] = 0.2 * (b[y][x] + b[y - 1][x] + b[y + 1][x] + b[y][x - 1] + b[y][x + 1]);
                        }
        }
    }
}
