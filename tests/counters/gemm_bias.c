// SET: m=12,n=8,l=6,h=3,B0=4,B1=4
// SET: m=4,n=9,l=4,h=2,B0=2,B1=3
// RUN: %treefork verify %s --set m=12,n=8,l=6,h=3,B0=4,B1=4 --set m=4,n=9,l=4,h=2,B0=2,B1=3 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// A layer of a network: product, bias and cut-off at zero in three bands.
#include <metafork.h>
void gemm_bias(int m, int n, int l, int h, int B0, int B1, const float X[m][l], const float W[l][n], const float b[n],
               float Y[m][n])
{
    meta_schedule cache(X, W) {
        meta_for (int i = 0; i < m / B0; i++)
            meta_for (int j = 0; j < n / B1; j++) {
                meta_for (int u = 0; u < B0; u++)
                    meta_for (int v = 0; v < B1; v++)
                        Y[i * B0 + u][j * B1 + v] = b[j * B1 + v];
                for (int k = 0; k < l / h; k++)
                    meta_for (int u = 0; u < B0; u++)
                        meta_for (int v = 0; v < B1; v++)
                            for (int z = 0; z < h; z++)
                                Y[i * B0 + u][j * B1 + v] += X[i * B0 + u][k * h + z] * W[k * h + z][j * B1 + v];
                meta_for (int u = 0; u < B0; u++)
                    meta_for (int v = 0; v < B1; v++)
                        if (Y[i * B0 + u][j * B1 + v] < 0.0f)
                            Y[i * B0 + u][j * B1 + v] = 0.0f;
            }
    }
}
