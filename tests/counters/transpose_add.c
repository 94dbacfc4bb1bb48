// SET: n=16,s=2,B0=2,B1=4
// SET: n=9,s=1,B0=3,B1=3
// RUN: %treefork verify %s --set n=16,s=2,B0=2,B1=4 --set n=9,s=1,B0=3,B1=3 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// B = A + A transposed in double, without staging.
#include <metafork.h>
void transpose_add(int n, int s, int B0, int B1, const double a[n][n], double b[n][n])
{
    meta_schedule {
        meta_for (int i = 0; i < n / (s * B0); i++)
            meta_for (int j = 0; j < n / B1; j++)
                meta_for (int u = 0; u < B0; u++)
                    meta_for (int v = 0; v < B1; v++)
                        for (int k = 0; k < s; k++) {
                            int r = (i * s + k) * B0 + u, c = j * B1 + v;
                            b[r][c] = a[r][c] + a[c][r];
                        }
    }
}
