// SET: n=19,m=12,s=2,B=3
// SET: n=4,m=0,s=1,B=2
// SET: n=64,m=33,s=4,B=4
// RUN: %treefork verify %s --set n=19,m=12,s=2,B=3 --set n=4,m=0,s=1,B=2 --set n=64,m=33,s=4,B=4 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Accumulators: several rows per thread, each summed over an inner loop into memory.
#include <metafork.h>
void dots(int n, int m, int s, int B, const double a[n][m], const double b[n][m], double c[n])
{
    meta_schedule cache(c) {
        meta_for (int i = 0; i < n / (s * B); i++)
            meta_for (int j = 0; j < B; j++)
                for (int z = 0; z < m; z++)
                    for (int k = 0; k < s; k++) {
                        int row = (i * s + k) * B + j;
                        c[row] += a[row][z] * b[row][z];
                    }
    }
}
