// SET: m=11,n=9,B=4
// SET: m=3,n=6,B=8
// RUN: %treefork verify %s --set m=11,n=9,B=4 --set m=3,n=6,B=8 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Running sums along rows: a serial chain in each thread, float.
#include <metafork.h>
void running_sums(int m, int n, int B, const float a[m][n], float b[m][n])
{
    meta_schedule {
        meta_for (int i = 0; i < (m + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int r = i * B + j;
                if (r < m) {
                    float sum = 0.0f;
                    for (int k = 0; k < n; k++) {
                        sum += a[r][k];
                        b[r][k] = sum;
                    }
                }
            }
    }
}
