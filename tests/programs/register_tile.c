// SET: n=26,m=19,l=7,B0=2,B1=3
// SET: n=8,m=8,l=1,B0=1,B1=1
// SET: n=64,m=48,l=9,B0=4,B1=4
// RUN: %treefork verify %s --set n=26,m=19,l=7,B0=2,B1=3 --set n=8,m=8,l=1,B0=1,B1=1 --set n=64,m=48,l=9,B0=4,B1=4 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// A product with four by four results per thread in a local array; factors read through loops over the local tile.
#include <metafork.h>
enum { R = 4 };
void register_tile(int n, int m, int l, int B0, int B1, const float a[n][l], const float b[l][m], float c[n][m])
{
    meta_schedule cache(a, b) {
        meta_for (int bi = 0; bi < n / (R * B0); bi++)
            meta_for (int bj = 0; bj < m / (R * B1); bj++)
                meta_for (int ti = 0; ti < B0; ti++)
                    meta_for (int tj = 0; tj < B1; tj++) {
                        float acc[R][R];
                        for (int y = 0; y < R; y++)
                            for (int x = 0; x < R; x++)
                                acc[y][x] = 0;
                        for (int k = 0; k < l; k++)
                            for (int y = 0; y < R; y++)
                                for (int x = 0; x < R; x++)
                                    acc[y][x] += a[(bi * R + y) * B0 + ti][k] * b[k][(bj * R + x) * B1 + tj];
                        for (int y = 0; y < R; y++)
                            for (int x = 0; x < R; x++)
                                c[(bi * R + y) * B0 + ti][(bj * R + x) * B1 + tj] = acc[y][x];
                    }
    }
}
