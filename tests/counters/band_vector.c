// SET: n=30,w=2,B=4
// SET: n=11,w=3,B=8
// RUN: %treefork verify %s --set n=30,w=2,B=4 --set n=11,w=3,B=8 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// A banded matrix by a vector, stored by diagonals.
#include <metafork.h>
void band_vector(int n, int w, int B, const float D[2 * w + 1][n], const float x[n], float y[n])
{
    meta_schedule {
        meta_for (int i = 0; i < (n + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int row = i * B + j;
                float sum = 0.0f;
                if (row < n) {
                    for (int d = 0; d < 2 * w + 1; d++) {
                        int column = row + d - w;
                        if (column >= 0 && column < n)
                            sum += D[d][row] * x[column];
                    }
                    y[row] = sum;
                }
            }
    }
}
