// SET: n=12,h=4,B0=4,B1=2
// SET: n=6,h=2,B0=3,B1=2
// RUN: %treefork verify %s --set n=12,h=4,B0=4,B1=2 --set n=6,h=2,B0=3,B1=2 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Two products of one left factor: five arrays, three of them staged.
#include <metafork.h>
void two_products(int n, int h, int B0, int B1, const float A[n][n], const float B[n][n], const float D[n][n],
                  float C[n][n], float E[n][n])
{
    meta_schedule cache(A, B, D) {
        meta_for (int i = 0; i < n / B0; i++)
            meta_for (int j = 0; j < n / B1; j++)
                for (int k = 0; k < n / h; k++)
                    meta_for (int u = 0; u < B0; u++)
                        meta_for (int v = 0; v < B1; v++)
                            for (int z = 0; z < h; z++) {
                                C[i * B0 + u][j * B1 + v] += A[i * B0 + u][k * h + z] * B[k * h + z][j * B1 + v];
                                E[i * B0 + u][j * B1 + v] += A[i * B0 + u][k * h + z] * D[k * h + z][j * B1 + v];
                            }
    }
}
