// SET: n=31,B=4,mode=1,t=2
// SET: n=31,B=4,mode=0,t=3
// SET: n=8,B=8,mode=2,t=-3
// RUN: %treefork verify %s --set n=31,B=4,mode=1,t=2 --set n=31,B=4,mode=0,t=3 --set n=8,B=8,mode=2,t=-3 --witness threads,cpu,opencl --device-runs %device_runs | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Conditions that are the same for every thread, around bands and inside, with parities of several forms.
#include <metafork.h>
void uniform_if(int n, int B, int mode, int t, int a[2 * n], int b[n])
{
    meta_schedule cache(a) {
        meta_for (int i = 0; i < n / B; i++) {
            if (mode == 1) {
                meta_for (int j = 0; j < B; j++)
                    b[i * B + j] = a[i * B + j] + 1;
            } else if (mode > 1) {
                meta_for (int j = 0; j < B; j++)
                    b[i * B + j] -= a[i * B + j] * 3;
            }
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                if ((t + 1) % 2 == 0)
                    a[p] = a[n + p] + b[p];
                else if (t & 2)
                    a[n + p] = a[p] - b[p];
            }
        }
    }
}
