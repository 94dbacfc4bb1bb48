// SET: n=29,B=3
// SET: n=4,B=2
// RUN: %treefork verify %s --set n=29,B=3 --set n=4,B=2 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Axes of meta_for that begin elsewhere, count by steps or down: the set of iterations is what the source says.
#include <metafork.h>
void axes(int n, int B, int a[n][n][2 * B])
{
    meta_schedule {
        meta_for (int i = 1; i <= n - 2; i += 2)
            meta_for (unsigned j = 3; j < (unsigned)n - 1; j++) {
                ;
                meta_for (int v = 2; v < 2 * B + 2; v += 2)
                    a[i][j][v - 2] += i * 100 + (int)j;
            }
    }
}
