// SET: n=18,B=4
// SET: n=5,B=2
// RUN: %treefork verify %s --set n=18,B=4 --set n=5,B=2 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// A six by six matrix by a vector per thread, kept in locals: high register pressure.
#include <metafork.h>
void matrix6(int n, int B, const float a[n][6][6], const float x[n][6], float y[n][6])
{
    meta_schedule {
        meta_for (int i = 0; i < (n + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                if (p < n) {
                    float in[6], out[6];
                    for (int r = 0; r < 6; r++)
                        in[r] = x[p][r];
                    for (int r = 0; r < 6; r++) {
                        out[r] = 0.0f;
                        for (int c = 0; c < 6; c++)
                            out[r] += a[p][r][c] * in[c];
                    }
                    for (int r = 0; r < 6; r++)
                        y[p][r] = out[r] + out[5 - r];
                }
            }
    }
}
