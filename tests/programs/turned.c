// SET: n=1000,B=64
// SET: n=333,B=32
// RUN: %treefork verify %s --set n=1000,B=64 --set n=333,B=32 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Every other element from the far end: a warp reads two places at once.
#include <metafork.h>
void turned(int n, int B, const float a[n], float b[n])
{
    int blocks = (n + B - 1) / B;
    meta_schedule {
        meta_for (int i = 0; i < blocks; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                if (p < n)
                    b[p] = a[p % 2 ? n - 1 - p : p];
            }
    }
}
