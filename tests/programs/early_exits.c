// SET: n=13,m=11,G=2,B0=4,B1=3
// SET: n=5,m=1,G=3,B0=2,B1=4
// RUN: %treefork verify %s --set n=13,m=11,G=2,B0=4,B1=3 --set n=5,m=1,G=3,B0=2,B1=4 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Early exits instead of guards: out of blocks, threads and rounds of a loop, one after another, in branches and in a helper.
// In the second region the threads of G blocks go on in steps.
#include <metafork.h>
static void clip(float x, float *least, int i)
{
    if (x >= least[i])
        return;
    least[i] = x;
}
void early_exits(int n, int m, int G, int B0, int B1, const float a[restrict n][m], float b[restrict n][m], float least[restrict n])
{
    meta_schedule {
        meta_for (int g = 0; g < (n + B0 - 1) / B0; g++)
            meta_for (int h = 0; h < (m + B1 - 1) / B1; h++) {
                int first = g * B0;
                if (first >= n)
                    continue;
                meta_for (int t = 0; t < B0; t++)
                    meta_for (int u = 0; u < B1; u++) {
                        int i = first + t, j = h * B1 + u;
                        if (i >= n || j >= m)
                            continue;
                        b[i][j] = 0;
                        if (a[i][j] < 0) {
                            b[i][j] = 1;
                            continue;
                        }
                        b[i][j] += a[i][j];
                    }
            }
    }
    meta_schedule {
        meta_for (int g = 0; g < G; g++)
            meta_for (int t = 0; t < B0; t++)
                for (int i = g * B0 + t; i < n; i += G * B0) {
                    least[i] = 100;
                    for (int k = 0; k < m; k++) {
                        if (k == i)
                            continue;
                        if (k % 3 == 1) {
                            if (b[i][k] > 2)
                                continue;
                            least[i] -= 1;
                        } else if (b[i][k] < -2)
                            continue;
                        clip(b[i][k], least, i);
                    }
                }
    }
}
