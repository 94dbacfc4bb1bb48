// SET: lo=3,hi=40,B=4
// SET: lo=5,hi=4,B=4
// SET: lo=0,hi=63,B=8
// RUN: %treefork verify %s --set lo=3,hi=40,B=4 --set lo=5,hi=4,B=4 --set lo=0,hi=63,B=8 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// A grid band that begins at a parameter and ends with <=, a block band in steps of two.
#include <metafork.h>
void odd_grid(int lo, int hi, int B, const float a[hi + 2][2 * B], float b[hi + 2][2 * B])
{
    meta_schedule {
        meta_for (int row = lo; row <= hi; row++)
            meta_for (int c = 0; c < 2 * B; c += 2) {
                b[row][c] = a[row][c + 1] - a[row + 1][c];
                b[row][c + 1] = a[row][c] + a[row + 1][c + 1];
            }
    }
}
