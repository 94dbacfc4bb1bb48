// SET: m=9,n=7,B=4
// SET: m=3,n=12,B=2
// RUN: %treefork verify %s --set m=9,n=7,B=4 --set m=3,n=12,B=2 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Mean and variance of a row in two passes of one thread, then the row scaled.
#include <metafork.h>
#include <math.h>
void layer_norm(int m, int n, int B, float eps, const float x[m][n], const float g[n], float y[m][n])
{
    meta_schedule cache(g) {
        meta_for (int i = 0; i < (m + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int r = i * B + j;
                if (r < m) {
                    float mean = 0.0f, spread = 0.0f;
                    for (int k = 0; k < n; k++)
                        mean += x[r][k];
                    mean /= (float)n;
                    for (int k = 0; k < n; k++)
                        spread += (x[r][k] - mean) * (x[r][k] - mean);
                    float scale = 1.0f / sqrtf(spread / (float)n + eps);
                    for (int k = 0; k < n; k++)
                        y[r][k] = g[k] * (x[r][k] - mean) * scale;
                }
            }
    }
}
