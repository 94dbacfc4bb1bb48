// SET: n=8,m=6,l=4,B0=2,B1=3,B2=4
// SET: n=5,m=4,l=3,B0=1,B1=2,B2=3
// RUN: %treefork verify %s --set n=8,m=6,l=4,B0=2,B1=3,B2=4 --set n=5,m=4,l=3,B0=1,B1=2,B2=3 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Three axes in another order: b[k][i][j] = a[i][j][k].
#include <metafork.h>
void permute_axes(int n, int m, int l, int B0, int B1, int B2, const int a[n][m][l], int b[l][n][m])
{
    meta_schedule cache(a) {
        meta_for (int i = 0; i < n / B0; i++)
            meta_for (int j = 0; j < m / B1; j++)
                meta_for (int k = 0; k < l / B2; k++)
                    meta_for (int u = 0; u < B0; u++)
                        meta_for (int v = 0; v < B1; v++)
                            meta_for (int w = 0; w < B2; w++)
                                b[k * B2 + w][i * B0 + u][j * B1 + v] = a[i * B0 + u][j * B1 + v][k * B2 + w];
    }
}
