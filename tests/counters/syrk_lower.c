// SET: n=12,l=6,h=3,B0=4,B1=3
// SET: n=8,l=4,h=2,B0=2,B1=4
// RUN: %treefork verify %s --set n=12,l=6,h=3,B0=4,B1=3 --set n=8,l=4,h=2,B0=2,B1=4 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// C += A times A transposed on the lower triangle.
#include <metafork.h>
void syrk_lower(int n, int l, int h, int B0, int B1, const float A[n][l], float C[n][n])
{
    meta_schedule cache(A) {
        meta_for (int i = 0; i < n / B0; i++)
            meta_for (int j = 0; j < n / B1; j++)
                for (int k = 0; k < l / h; k++)
                    meta_for (int u = 0; u < B0; u++)
                        meta_for (int v = 0; v < B1; v++) {
                            int r = i * B0 + u, c = j * B1 + v;
                            if (c <= r)
                                for (int z = 0; z < h; z++)
                                    C[r][c] += A[r][k * h + z] * A[c][k * h + z];
                        }
    }
}
