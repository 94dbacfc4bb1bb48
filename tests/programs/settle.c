// SET: rows=7,cols=13,rounds=3
// RUN: %treefork verify %s --set rows=7,cols=13,rounds=3 --set R=2,C=3,P=5 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Tunables that the regions choose: plain pointers, swapped by the host between rounds, and extents that only guards bound.
#include <metafork.h>

/* Rows of readings are smoothed again and again between two buffers; then each row's largest is found. */
void settle(int rows, int cols, int rounds, float *from, float *to, float peak[rows])
{
    const int R = meta_tunable(4), C = meta_tunable(32), P = meta_tunable(128);
    for (int k = 0; k < rounds; k++) {
        meta_schedule {
            meta_for (int a = 0; a < (rows + R - 1) / R; a++)
                meta_for (int b = 0; b < (cols + C - 1) / C; b++)
                    meta_for (int u = 0; u < R; u++)
                        meta_for (int v = 0; v < C; v++) {
                            int y = a * R + u, x = b * C + v;
                            if (y < rows && x < cols) {
                                int l = x > 0 ? x - 1 : 0, r = x < cols - 1 ? x + 1 : cols - 1;
                                to[y * cols + x] = 0.25f * from[y * cols + l] + 0.5f * from[y * cols + x] + 0.25f * from[y * cols + r];
                            }
                        }
        }
        float *t = from;
        from = to;
        to = t;
    }
    meta_schedule {
        meta_for (int a = 0; a < (rows + P - 1) / P; a++)
            meta_for (int u = 0; u < P; u++) {
                int y = a * P + u;
                if (y < rows) {
                    float best = from[y * cols];
                    for (int x = 1; x < cols; x++)
                        if (from[y * cols + x] > best)
                            best = from[y * cols + x];
                    peak[y] = best;
                }
            }
    }
}
