// SET: n=18,B=4
// SET: n=7,B=2
// RUN: %treefork verify %s --set n=18,B=4 --set n=7,B=2 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// A symmetric matrix of which only the lower half is kept.
#include <metafork.h>
void symmetric_vector(int n, int B, const double S[n][n], const double x[n], double y[n])
{
    meta_schedule {
        meta_for (int i = 0; i < (n + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int row = i * B + j;
                if (row < n) {
                    double sum = 0.0;
                    for (int k = 0; k < n; k++)
                        sum += (k <= row ? S[row][k] : S[k][row]) * x[k];
                    y[row] = sum;
                }
            }
    }
}
