// SET: n=10,B=3
// SET: n=2,B=2
// SET: n=17,B=4
// RUN: %treefork verify %s --set n=10,B=3 --set n=2,B=2 --set n=17,B=4 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// A 3+3 nest over one extent with ceilings, on an array of three equal dimensions.
#include <metafork.h>
void trace_three(short n, short B, unsigned short cube[n][n][n])
{
    int dim = (n + B - 1) / B;
    meta_schedule {
        meta_for (int i = 0; i < dim; i++)
            meta_for (int j = 0; j < dim; j++)
                meta_for (int k = 0; k < dim; k++)
                    meta_for (int u = 0; u < B; u++)
                        meta_for (int v = 0; v < B; v++)
                            meta_for (int w = 0; w < B; w++) {
                                int z = i * B + u, y = j * B + v, x = k * B + w;
                                if (z < n && y < n && x < n)
                                    cube[z][y][x] = (unsigned short)(cube[z][y][x] + z * 100 + y * 10 + x);
                            }
    }
}
