// SET: n=20,B=4
// SET: n=13,B=5
// SET: n=0,B=3
// SET: n=1,B=1
// RUN: %treefork verify %s --set n=20,B=4 --set n=13,B=5 --set n=1,B=1 --witness threads,cpu,opencl --device-runs %device_runs | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Assignments in a row: what is set last gets what the one before it holds, in that one's type; an element that the value reads is set too.
#include <metafork.h>
static double ends(double v)
{
    double low;
    float high;
    low = high = v / 3;
    return low + high;
}
void chained(int n, int B, double a[n][n], float f[n], int k[n])
{
    meta_schedule {
        meta_for (int b = 0; b < (n + B - 1) / B; b++)
            meta_for (int t = 0; t < B; t++) {
                int i = b * B + t;
                if (i < n) {
                    double last;
                    int whole;
                    f[i] = k[i] = k[i] + a[i][i] * 5.3;
                    last = whole = f[i] + 0.75;
                    a[i][i] += f[i] = a[i][i] / 3;
                    for (int j = 0; j < i; j++)
                        a[i][j] = a[j][i] = last = j + whole * 0.1;
                    k[i] -= ends(last) > 1;
                }
            }
    }
}
