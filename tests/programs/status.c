// SET: n=30,B=4
// SET: n=0,B=4
// SET: n=64,B=16
// RUN: %treefork verify %s --set n=30,B=4 --set n=0,B=4 --set n=64,B=16 --witness threads,cpu,opencl --device-runs %device_runs | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// A function that returns a value computed after its region.
#include <metafork.h>
int status(int n, int B, int *restrict flags)
{
    int bad = 0;
    if (n <= 0)
        return -1;
    meta_schedule {
        meta_for (int i = 0; i < (n + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                if (p < n)
                    flags[p] = flags[p] > 0 ? 1 : flags[p] < 0 ? -1 : 0;
            }
    }
    for (int p = 0; p < n; p++)
        bad += flags[p] < 0;
    return bad;
}
