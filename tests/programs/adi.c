// SET: sweeps=2,n=13,B=4
// SET: sweeps=1,n=2,B=4
// SET: sweeps=2,n=32,B=8
// RUN: %treefork verify %s --set sweeps=2,n=13,B=4 --set sweeps=1,n=2,B=4 --set sweeps=2,n=32,B=8 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Alternating directions: a row per thread, then a column per thread, recurrences inside.
#include <metafork.h>
void adi(int sweeps, int n, int B, float x[n][n], const float f[n][n])
{
    for (int t = 0; t < sweeps; t++) {
        meta_schedule {
            meta_for (int i = 0; i < (n + B - 1) / B; i++)
                meta_for (int j = 0; j < B; j++) {
                    int row = i * B + j;
                    if (row < n)
                        for (int c = 1; c < n; c++)
                            x[row][c] = x[row][c] - x[row][c - 1] * f[row][c] * 0.5f;
                }
        }
        meta_schedule {
            meta_for (int i = 0; i < (n + B - 1) / B; i++)
                meta_for (int j = 0; j < B; j++) {
                    int col = i * B + j;
                    if (col < n)
                        for (int r = n - 2; r >= 0; r--)
                            x[r][col] -= x[r + 1][col] * f[r][col] * 0.25f;
                }
        }
    }
}
