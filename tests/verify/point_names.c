// Several points of a thread, whose names have values of names that are set: `ends` is made again for each point, `holds` cannot be.
// RUN: %treefork verify %s --reassociate --set n=9,m=37,B=8 --set n=1,m=5,B=4 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: FAILED
// CHECK: {{[1-9][0-9]*}} verified, 0 failed
#include <math.h>
#include <metafork.h>

void point_names(int n, int m, int B, float beta, const float a[restrict n][m], const float b[restrict n][m], float c[restrict n])
{
    meta_schedule {
        meta_for (int v = 0; v < (n + B - 1) / B; v++)
            meta_for (int u = 0; u < B; u++) {
                int i = v * B + u;
                if (i < n) {
                    float sum = 0;
                    for (int j = 0; j < m; j++)
                        sum += fabs(b[i][j] - a[i][j]);
                    int holds = sum < beta;
                    if (holds)
                        sum = 0;
                    for (int j = 0; j < m; j++) {
                        if (holds)
                            sum += (b[i][j] - a[i][j]) * (b[i][j] - a[i][j]);
                    }
                    if (holds)
                        sum *= beta;
                    int ends = !holds;
                    if (ends)
                        sum -= beta;
                    c[i] = sum;
                }
            }
    }
}
