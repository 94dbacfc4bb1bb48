// SET: n=37,s=3,B=4
// SET: n=2,s=1,B=2
// SET: n=96,s=2,B=16
// RUN: %treefork verify %s --set n=37,s=3,B=4 --set n=2,s=1,B=2 --set n=96,s=2,B=16 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Subscripts and loops that run backwards.
#include <metafork.h>
void reversed(int n, int s, int B, const long from[n], long to[n])
{
    int dim = n / (s * B);
    meta_schedule cache(from) {
        meta_for (int i = dim - 1; i >= 0; i--)
            meta_for (int j = 0; j < B; j++)
                for (int k = s - 1; k >= 0; k--)
                    to[n - 1 - (i * s * B + k * B + j)] = from[i * s * B + k * B + j] * 2 - from[n - 1 - (i * s * B + k * B + j)];
    }
}
