// SET: n=18,m=9,B=4
// RUN: %treefork verify %s --set n=18,m=9,B=4 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// A row per thread: sums, minima and positions found in locals of the thread.
#include <metafork.h>
void reduce(int n, int m, int B, const double a[n][m], double *restrict sum, int *restrict where)
{
    meta_schedule {
        meta_for (int i = 0; i < (n + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j, best = 0;
                double total = 0.0, least;
                if (p < n) {
                    least = a[p][0];
                    for (int k = 0; k < m; k++) {
                        total += a[p][k];
                        if (a[p][k] < least) {
                            least = a[p][k];
                            best = k;
                        }
                    }
                    sum[p] = total - least;
                    where[p] = best;
                }
            }
    }
}
