// SET: n=37,s=2,B=8
// SET: n=10,s=1,B=4
// RUN: %treefork verify %s --set n=37,s=2,B=8 --set n=10,s=1,B=4 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Quotient of two polynomials written out, many constants.
#include <metafork.h>
void rational(int n, int s, int B, const double x[n], double y[n])
{
    meta_schedule {
        meta_for (int i = 0; i < (n + s * B - 1) / (s * B); i++)
            meta_for (int j = 0; j < B; j++)
                for (int k = 0; k < s; k++) {
                    int p = (i * s + k) * B + j;
                    if (p < n) {
                        double z = x[p];
                        double top = ((((1.25 * z + 0.5) * z - 3.75) * z + 7.125) * z - 0.0625) * z + 2.5;
                        double w = z * z;
                        double low = ((((0.75 * w + 1.5) * w + 4.25) * w + 9.5) * w + 1.125) * w + 17.0;
                        y[p] = top / low;
                    }
                }
    }
}
