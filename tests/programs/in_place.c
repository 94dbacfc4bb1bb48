// SET: n=50,s=3,B=4,g=1.5
// SET: n=6,s=1,B=6,g=-1
// SET: n=192,s=4,B=16,g=0.5
// RUN: %treefork verify %s --set n=50,s=3,B=4,g=1.5 --set n=6,s=1,B=6,g=-1 --set n=192,s=4,B=16,g=0.5 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// A staged array is read and written in place, under a guard.
#include <metafork.h>
void in_place(int n, int s, int B, float g, float data[n])
{
    int dim = (n + s * B - 1) / (s * B);
    meta_schedule cache(data) {
        meta_for (int i = 0; i < dim; i++)
            meta_for (int j = 0; j < B; j++)
                for (int k = 0; k < s; k++) {
                    int p = (i * s + k) * B + j;
                    if (p < n) {
                        data[p] = data[p] * g;
                        data[p] += 1.0f;
                    }
                }
    }
}
