// SET: n=16,h=4,B0=2,B1=2
// SET: n=8,h=3,B0=1,B1=2
// RUN: %treefork verify %s --set n=16,h=4,B0=2,B1=2 --set n=8,h=3,B0=1,B1=2 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Four by four results in sixteen locals of each thread, written out.
#include <metafork.h>
void gemm_square4(int n, int h, int B0, int B1, const float A[n][n], const float B[n][n], float C[n][n])
{
    meta_schedule cache(A, B) {
        meta_for (int i = 0; i < n / (4 * B0); i++)
            meta_for (int j = 0; j < n / (4 * B1); j++)
                for (int k = 0; k < n / h; k++)
                    meta_for (int u = 0; u < B0; u++)
                        meta_for (int v = 0; v < B1; v++) {
                            float acc[4][4];
                            for (int y = 0; y < 4; y++)
                                for (int x = 0; x < 4; x++)
                                    acc[y][x] = C[(i * 4 + y) * B0 + u][(j * 4 + x) * B1 + v];
                            for (int z = 0; z < h; z++)
                                for (int y = 0; y < 4; y++)
                                    for (int x = 0; x < 4; x++)
                                        acc[y][x] += A[(i * 4 + y) * B0 + u][k * h + z] *
                                                     B[k * h + z][(j * 4 + x) * B1 + v];
                            for (int y = 0; y < 4; y++)
                                for (int x = 0; x < 4; x++)
                                    C[(i * 4 + y) * B0 + u][(j * 4 + x) * B1 + v] = acc[y][x];
                        }
    }
}
