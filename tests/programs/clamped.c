// SET: cols=13,rows=7,r=2,B=4
// SET: cols=1,rows=1,r=0,B=1
// SET: cols=5,rows=4,r=7,B=8
// RUN: %treefork verify %s --set cols=13,rows=7,r=2,B=4 --set cols=1,rows=1,r=0,B=1 --set cols=5,rows=4,r=7,B=8 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Positions cut off at the edges: by ifs, by selections, by macros, by functions with several returns, and in steps of a
// walk that never leaves the row. Nothing declares how many elements the images have.
#include <assert.h>
#include <metafork.h>
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
static int inside(int v, int last)
{
    if (v < 0)
        return 0;
    return v > last ? last : v;
}

void clamped(int cols, int rows, int r, int B, const float *img, const float *ink, const float *mask, const float *row, float *out)
{
    assert(r >= 0);
    meta_schedule {
        meta_for (int y = 0; y < rows; y++)
            meta_for (int g = 0; g < (cols + B - 1) / B; g++) {
                ;
                meta_for (int j = 0; j < B; j++) {
                    int x = g * B + j;
                    if (x < cols) {
                        float sum = 0;
                        for (int k = -r; k <= r; k++) {
                            int q = x + k;
                            if (q < 0)
                                q = 0;
                            else if (q >= cols)
                                q = cols - 1;
                            int p = x + k < 0 ? 0 : x + k > cols - 1 ? cols - 1 : x + k;
                            int z = y + k;
                            if (!(z >= 0))
                                z = 0;
                            if (rows - 1 < z)
                                z = rows - 1;
                            sum += img[z * cols + q] + ink[MIN(MAX(y - k, 0), rows - 1) * cols + p];
                            sum += mask[inside(y + 2 * k, rows - 1) * cols + inside(x - k, cols - 1)];
                            int far = x + 3 * k;
                            if (far >= 0 && far < cols)
                                sum += row[far];
                        }
                        out[y * cols + x] = sum;
                    }
                }
            }
    }
}
