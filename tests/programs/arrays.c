// SET: n=21,B=4
// SET: n=3,B=8
// RUN: %treefork verify %s --set n=21,B=4 --set n=3,B=8 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Local arrays with initialisers, arrays of every form, constant tables of the file.
#include <metafork.h>
#define TAPS 3
const float weights[TAPS][2] = {{0.5f, 1.5f}, {2.0f}, {-1.0f, 0.25f}};
int counts[5] = {1, 2, 3, 4, 5};
typedef double row[4];
void arrays(int n, int B, float (*restrict a)[8], row *b, const double c[2][n], float *flat)
{
    meta_schedule {
        meta_for (int i = 0; i < (n + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                int grid[2][3] = {1, 2, 3, 4, 5, 6};
                double acc[4] = {c[0][0], 2};
                float plain[3];
                const int ragged[3][2] = {{7}, {8, 9}};
                if (p < n) {
                    for (int k = 0; k < TAPS; k++)
                        plain[k] = weights[k][p % 2] * a[p][k];
                    for (int k = 0; k < 4; k++)
                        acc[k] += c[1][p] + ragged[k % 3][k % 2] + counts[k];
                    grid[p % 2][p % 3] += 10;
                    a[p][7] = plain[0] + plain[1] - plain[2];
                    b[p][0] = acc[0] * acc[1];
                    b[p][3] = acc[2] - acc[3] + grid[1][p % 3];
                    flat[p * 3 + 1] = (float)grid[0][0] + a[p][3];
                }
            }
    }
}
