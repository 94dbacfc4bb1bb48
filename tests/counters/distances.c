// SET: n=18,m=11,B0=4,B1=4
// SET: n=5,m=9,B0=2,B1=5
// RUN: %treefork verify %s --set n=18,m=11,B0=4,B1=4 --set n=5,m=9,B0=2,B1=5 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Great-circle distances of all pairs: asin, sin and cos, both lists staged.
#include <metafork.h>
#include <math.h>
void distances(int n, int m, int B0, int B1, const float a[n][2], const float b[m][2], float d[n][m])
{
    meta_schedule cache(a, b) {
        meta_for (int i = 0; i < (n + B0 - 1) / B0; i++)
            meta_for (int j = 0; j < (m + B1 - 1) / B1; j++)
                meta_for (int u = 0; u < B0; u++)
                    meta_for (int v = 0; v < B1; v++) {
                        int p = i * B0 + u, q = j * B1 + v;
                        if (p < n && q < m) {
                            float y = sinf(0.5f * (b[q][0] - a[p][0])), x = sinf(0.5f * (b[q][1] - a[p][1]));
                            float h = y * y + cosf(a[p][0]) * cosf(b[q][0]) * x * x;
                            d[p][q] = 2.0f * asinf(sqrtf(fminf(fmaxf(h, 0.0f), 1.0f)));
                        }
                    }
    }
}
