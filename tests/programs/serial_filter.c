// SET: m=6,n=40,B=4
// SET: m=3,n=5,B=2
// SET: m=3,n=3,B=2
// RUN: %treefork verify %s --set m=6,n=40,B=4 --set m=3,n=5,B=2 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// A filter of five taps along the rows of a table, a row per thread; rows shorter than the filter stay as they are. The last
// sample of a row goes in with the sign of its position.
#include <metafork.h>
void serial_filter(int m, int n, int B, const double tap[5], const double in[m][n], double out[restrict m][n])
{
    meta_schedule {
        meta_for (int i = 0; i < (m + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int row = i * B + j;
                if (row < m)
                    for (int k = 2; k < n - 2; k++) {
                        double sum = tap[0] * in[row][k - 2] + tap[1] * in[row][k - 1] + tap[2] * in[row][k];
                        sum += tap[3] * in[row][k + 1] + tap[4] * in[row][k + 2];
                        out[row][k] = k % 2 ? sum : sum - in[row][n - 1];
                    }
            }
    }
}
