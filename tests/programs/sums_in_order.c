// SET: n=200,m=7,B=1
// SET: n=0,m=3,B=3
// SET: n=1,m=33,B=32
// SET: n=517,m=5,B=100
// SET: n=300,m=1,B=256
// RUN: %treefork verify %s --set n=200,m=7,B=1 --set n=0,m=3,B=3 --set n=1,m=33,B=32 --set n=517,m=5,B=100 --set n=300,m=1,B=256 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Sums that keep their order: of floating point, of 64 bits, products.
#include <metafork.h>
void ordered(int n, int m, int B, float dot[1], double norm[2], long wide[1], unsigned product[1],
             float most[1], double row[m], float z[n], const float *x, const float *y,
             const double a[m][n])
{
    meta_schedule meta_reduce(+, dot, norm, wide) meta_reduce(*, product) meta_reduce(max, most) {
        meta_for (int i = 0; i < (n + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                if (p < n) {
                    z[p] = x[p] - 0.5f * y[p];
                    dot[0] += z[p] * y[p];
                    norm[p % 2] = norm[p % 2] + (double)x[p] * x[p];
                    wide[0] += 1000000007L * p;
                    product[0] *= 2 * (unsigned)p + 1;
                    if (z[p] > most[0])
                        most[0] = z[p];
                }
            }
    }
    meta_schedule meta_reduce(+, row) {
        meta_for (int i = 0; i < (m + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++)
                if (i * B + j < m)
                    for (int q = 0; q < n; q++)
                        row[i * B + j] += a[i * B + j][q];
    }
}
