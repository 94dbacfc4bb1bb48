// SET: n=22,B=4
// SET: n=9,B=5
// RUN: %treefork verify %s --set n=22,B=4 --set n=9,B=5 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// y = L x: the loop of a thread runs to its own row.
#include <metafork.h>
void triangular_vector(int n, int B, const double L[n][n], const double x[n], double y[n])
{
    meta_schedule {
        meta_for (int i = 0; i < (n + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int row = i * B + j;
                if (row < n) {
                    double sum = 0.0;
                    for (int k = 0; k <= row; k++)
                        sum += L[row][k] * x[k];
                    y[row] = sum;
                }
            }
    }
}
