// SET: n=40,s=4,B=3
// SET: n=4,s=1,B=2
// SET: n=120,s=5,B=8
// RUN: %treefork verify %s --set n=40,s=4,B=3 --set n=4,s=1,B=2 --set n=120,s=5,B=8 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// A sliding window in locals over a thread's own piece: values carried from step to step.
#include <metafork.h>
void local_window(int n, int s, int B, const int in[n + 2], int out[n])
{
    meta_schedule {
        meta_for (int i = 0; i < n / (s * B); i++)
            meta_for (int j = 0; j < B; j++) {
                int base = (i * B + j) * s;
                int before = in[base], here = in[base + 1];
                for (int k = 0; k < s; k++) {
                    int next = in[base + k + 2];
                    out[base + k] = before - 2 * here + next;
                    before = here;
                    here = next;
                }
            }
    }
}
