// SET: n=50,s=4,B=4
// SET: n=23,s=3,B=2
// RUN: %treefork verify %s --set n=50,s=4,B=4 --set n=23,s=3,B=2 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// A stencil of three points where each thread walks along its own cells: what one step loads the next two use again.
#include <metafork.h>
void serial_stencil(int n, int s, int B, const float in[n], float out[restrict n])
{
    int dim = (n - 2) / (s * B);
    meta_schedule {
        meta_for (int i = 0; i < dim; i++)
            meta_for (int j = 0; j < B; j++)
                for (int k = 0; k < s; k++) {
                    int p = (i * B + j) * s + k + 1;
                    out[p] = (in[p - 1] + in[p] + in[p + 1]) * 0.25f;
                }
    }
}
