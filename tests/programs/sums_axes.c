// SET: n=45,m=70,q=9,B0=3,B1=7
// SET: n=0,m=5,q=2,B0=2,B1=3
// SET: n=300,m=1,q=1,B0=8,B1=1
// SET: n=7,m=40,q=3,B0=1,B1=32
// RUN: %treefork verify %s --set n=45,m=70,q=9,B0=3,B1=7 --set n=0,m=5,q=2,B0=2,B1=3 --set n=300,m=1,q=1,B0=8,B1=1 --set n=7,m=40,q=3,B0=1,B1=32 --witness %witnesses --device-runs once | FileCheck %s
// RUN: %treefork tree %s | FileCheck %s --check-prefix=TREE
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Sums of floating point along some of the axes of grid and block: of rows and columns at once, of
// two of three axes, by two bands, inside a loop of the block, by counters of other types.
// TREE: launches 2 kernels, one after another
#include <metafork.h>
#include <stddef.h>
void axes(int n, int m, int q, int B0, int B1, float row[n], float column[m], double all[1],
          double layer[q], double wide[1], double twice[n], float least[m], float z[n][m],
          const float a[n][m], const double c[n][q][m])
{
    meta_schedule meta_reduce(+, row, column, all) {
        meta_for (int bi = 0; bi < (n + B0 - 1) / B0; bi++)
            meta_for (int bj = 0; bj < (m + B1 - 1) / B1; bj++)
                meta_for (int ti = 0; ti < B0; ti++)
                    meta_for (int tj = 0; tj < B1; tj++) {
                        int i = bi * B0 + ti, j = bj * B1 + tj;
                        if (i < n && j < m) {
                            z[i][j] = 2 * a[i][j];
                            row[i] += z[i][j];
                            column[j] -= a[i][j];
                            all[0] += a[i][j];
                        }
                    }
    }
    meta_schedule meta_reduce(+, layer) {
        meta_for (int bi = 0; bi < (n + B0 - 1) / B0; bi++)
            meta_for (int k = 0; k < q; k++)
                meta_for (int bj = 0; bj < (m + B1 - 1) / B1; bj++)
                    meta_for (int ti = 0; ti < B0; ti++)
                        meta_for (int tj = 0; tj < B1; tj++)
                            if (bi * B0 + ti < n && bj * B1 + tj < m)
                                layer[k] += c[bi * B0 + ti][k][bj * B1 + tj];
    }
    meta_schedule meta_reduce(+, wide) {
        meta_for (size_t b = 0; b < ((size_t)n + B0 - 1) / B0; b++)
            meta_for (unsigned t = 0; t < (unsigned)B0; t++)
                if (b * B0 + t < (size_t)n)
                    for (long j = 0; j < m; j++)
                        wide[0] += a[b * B0 + t][j];
    }
    meta_schedule meta_reduce(+, twice) meta_reduce(min, least) {
        meta_for (int i = 0; i < n; i++) {
            meta_for (int t = 0; t < B1; t++)
                for (int j = t; j < m; j += B1)
                    twice[i] += a[i][j];
            for (int k = 0; k < q; k++)
                meta_for (int t = 0; t < B1; t++) {
                    for (int j = t; j < m; j += B1)
                        twice[i] += c[i][k][j];
                    if (t < m && a[i][t] < least[t])
                        least[t] = a[i][t];
                }
        }
    }
}
