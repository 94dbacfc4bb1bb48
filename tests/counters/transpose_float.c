// SET: m=17,n=22,s=2,B0=4,B1=4
// SET: m=6,n=9,s=4,B0=2,B1=3
// RUN: %treefork verify %s --set m=17,n=22,s=2,B0=4,B1=4 --set m=6,n=9,s=4,B0=2,B1=3 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Transposition of a rectangle, both sides staged, ceilings and guards.
#include <metafork.h>
void transpose_float(int m, int n, int s, int B0, int B1, const float a[m][n], float c[n][m])
{
    meta_schedule cache(a, c) {
        meta_for (int i = 0; i < (m + B0 - 1) / B0; i++)
            meta_for (int j = 0; j < (n + s * B1 - 1) / (s * B1); j++)
                meta_for (int u = 0; u < B0; u++)
                    meta_for (int v = 0; v < B1; v++)
                        for (int k = 0; k < s; k++) {
                            int r = i * B0 + u, q = (j * s + k) * B1 + v;
                            if (r < m && q < n)
                                c[q][r] = a[r][q];
                        }
    }
}
