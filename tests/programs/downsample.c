// SET: n=21,s=2,B=5
// SET: n=1,s=1,B=1
// SET: n=70,s=4,B=8
// RUN: %treefork verify %s --set n=21,s=2,B=5 --set n=1,s=1,B=1 --set n=70,s=4,B=8 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Every other element: strided reads, dense writes.
#include <metafork.h>
void downsample(int n, int s, int B, const double fine[2 * n + 1], double coarse[n])
{
    int dim = n / (s * B);
    meta_schedule cache(fine) {
        meta_for (int i = 0; i < dim; i++)
            meta_for (int j = 0; j < B; j++)
                for (int k = 0; k < s; k++) {
                    int p = (i * s + k) * B + j;
                    coarse[p] = 0.25 * fine[2 * p] + 0.5 * fine[2 * p + 1] + 0.25 * fine[2 * p + 2];
                }
    }
}
