// SET: m=10,n=6,B=4
// SET: m=3,n=9,B=8
// RUN: %treefork verify %s --set m=10,n=6,B=4 --set m=3,n=9,B=8 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Entropy of rows: a logarithm in the loop of a thread, double.
#include <metafork.h>
#include <math.h>
void entropy_rows(int m, int n, int B, const double a[m][n], double e[m])
{
    meta_schedule {
        meta_for (int i = 0; i < (m + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int r = i * B + j;
                if (r < m) {
                    double total = 1e-9, sum = 0.0;
                    for (int k = 0; k < n; k++)
                        total += fabs(a[r][k]);
                    for (int k = 0; k < n; k++) {
                        double share = (fabs(a[r][k]) + 1e-12) / total;
                        sum -= share * log(share);
                    }
                    e[r] = sum;
                }
            }
    }
}
