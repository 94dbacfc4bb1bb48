// SET: m=8,n=20,B=4
// SET: m=5,n=7,B=2
// RUN: %treefork verify %s --set m=8,n=20,B=4 --set m=5,n=7,B=2 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// A filter with feedback of second order down the columns, four values carried along.
#include <metafork.h>
void recurrence(int m, int n, int B, double p1, double p2, const double x[m][n], double y[m][n])
{
    meta_schedule {
        meta_for (int i = 0; i < (n + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int c = i * B + j;
                if (c < n) {
                    double x1 = 0.0, x2 = 0.0, y1 = 0.0, y2 = 0.0;
                    for (int k = 0; k < m; k++) {
                        double now = 0.25 * x[k][c] + 0.5 * x1 + 0.25 * x2 + 0.1 * p1 * y1 - 0.1 * p2 * y2;
                        x2 = x1;
                        x1 = x[k][c];
                        y2 = y1;
                        y1 = now;
                        y[k][c] = now;
                    }
                }
            }
    }
}
