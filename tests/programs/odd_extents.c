// SET: n=9,m=5,B=3
// SET: n=1,m=0,B=2
// SET: n=33,m=20,B=8
// RUN: %treefork verify %s --set n=9,m=5,B=3 --set n=1,m=0,B=2 --set n=33,m=20,B=8 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Extents by formula, rows longer than what is used, an index chosen by a condition, a guard with ||.
#include <metafork.h>
void odd_extents(int n, int m, int B, const float a[(n + 1) / 2][2 * m + 1], double b[n][m + 3])
{
    meta_schedule {
        meta_for (int i = 0; i < n; i++)
            meta_for (int j = 0; j < (m + B - 1) / B; j++)
                meta_for (int u = 0; u < 1; u++)
                    meta_for (int v = 0; v < B; v++) {
                        int c = j * B + v;
                        if (c >= m || i < 0)
                            ;
                        else
                            b[i][c + 2] = a[i / 2][i % 2 ? c : 2 * m - c] * 0x1.8p1 + '\x03' + 017;
                    }
    }
}
