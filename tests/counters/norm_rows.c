// SET: m=10,n=13,B=4
// SET: m=3,n=5,B=8
// RUN: %treefork verify %s --set m=10,n=13,B=4 --set m=3,n=5,B=8 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Euclidean norm of each row, double, one row a thread.
#include <metafork.h>
#include <math.h>
void norm_rows(int m, int n, int B, const double a[m][n], double r[m])
{
    meta_schedule {
        meta_for (int i = 0; i < (m + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int row = i * B + j;
                if (row < m) {
                    double sum = 0.0;
                    for (int k = 0; k < n; k++)
                        sum += a[row][k] * a[row][k];
                    r[row] = sqrt(sum);
                }
            }
    }
}
