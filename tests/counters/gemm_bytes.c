// SET: n=12,h=4,s=2,B0=4,B1=3
// SET: n=8,h=2,s=1,B0=2,B1=4
// RUN: %treefork verify %s --set n=12,h=4,s=2,B0=4,B1=3 --set n=8,h=2,s=1,B0=2,B1=4 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Products of bytes summed up in 32 bits.
#include <metafork.h>
void gemm_bytes(int n, int h, int s, int B0, int B1, const signed char A[n][n], const signed char B[n][n], int C[n][n])
{
    meta_schedule cache(A, B) {
        meta_for (int i = 0; i < n / B0; i++)
            meta_for (int j = 0; j < n / (s * B1); j++)
                for (int k = 0; k < n / h; k++)
                    meta_for (int u = 0; u < B0; u++)
                        meta_for (int v = 0; v < B1; v++)
                            for (int z = 0; z < h; z++)
                                for (int w = 0; w < s; w++)
                                    C[i * B0 + u][(j * s + w) * B1 + v] +=
                                        A[i * B0 + u][k * h + z] * B[k * h + z][(j * s + w) * B1 + v];
    }
}
