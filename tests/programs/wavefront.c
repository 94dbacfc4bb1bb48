// SET: n=9,T=3,w=17,B=4
// SET: n=3,T=1,w=7,B=1
// SET: n=12,T=4,w=26,B=8
// RUN: %treefork verify %s --set n=9,T=3,w=17,B=4 --set n=3,T=1,w=7,B=1 --set n=12,T=4,w=26,B=8 --witness %witnesses --device-runs once 2>&1 | FileCheck %s
// CHECK-NOT: believed
// CHECK-NOT: proved independent only
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Seidel on one wavefront, with time on the grid and columns in the thread: in place, and legal because 4 steps of time
// never equal a shift by one.
#include <metafork.h>
void wavefront(int n, int T, int w, int B, float A[restrict n][n])
{
    meta_schedule {
        meta_for (int g = 0; g < (T + B - 1) / B; g++) {
            ;
            meta_for (int l = 0; l < B; l++) {
                int t = g * B + l;
                if (t < T)
                    for (int i = 1; i < n - 1; i++) {
                        int j = w - 4 * t - 2 * i;
                        if (j >= 1 && j < n - 1)
                            A[i][j] = (A[i - 1][j - 1] + A[i - 1][j] + A[i - 1][j + 1] + A[i][j - 1] + A[i][j] + A[i][j + 1] +
                                       A[i + 1][j - 1] + A[i + 1][j] + A[i + 1][j + 1]) * 0.125f;
                    }
            }
        }
    }
}
