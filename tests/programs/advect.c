// SET: n=40,B=4,s=2,reach=3,c=0.25
// SET: n=5,B=2,s=1,reach=0,c=0.5
// SET: n=100,B=8,s=4,reach=10,c=1
// RUN: %treefork verify %s --set n=40,B=4,s=2,reach=3,c=0.25 --set n=5,B=2,s=1,reach=0,c=0.5 --set n=100,B=8,s=4,reach=10,c=1 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// A symbolic distance: the value `reach` cells upstream.
#include <metafork.h>
void advect(int n, int B, int s, int reach, float c, const float from[n], float to[n])
{
    int dim = (n - reach) / (s * B);
    meta_schedule cache(from) {
        meta_for (int i = 0; i < dim; i++)
            meta_for (int j = 0; j < B; j++)
                for (int k = 0; k < s; k++) {
                    int p = (i * s + k) * B + j;
                    to[p + reach] = from[p + reach] - c * (from[p + reach] - from[p]);
                }
    }
}
