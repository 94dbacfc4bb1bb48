// SET: n=20,B=4,s=2
// SET: n=2,B=1,s=1
// SET: n=128,B=8,s=4
// RUN: %treefork verify %s --set n=20,B=4,s=2 --set n=2,B=1,s=1 --set n=128,B=8,s=4 --witness threads,cpu,opencl --device-runs %device_runs | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// A butterfly: one array, its two halves at the symbolic distance n/2 = h.
#include <metafork.h>
void halves(int n, int B, int s, float x[n])
{
    int h = n / 2;
    meta_schedule cache(x) {
        meta_for (int i = 0; i < h / (s * B); i++)
            meta_for (int j = 0; j < B; j++)
                for (int k = 0; k < s; k++) {
                    int p = (i * s + k) * B + j;
                    float sum = x[p] + x[p + h], difference = x[p] - x[p + h];
                    x[p] = sum;
                    x[p + h] = difference;
                }
    }
}
