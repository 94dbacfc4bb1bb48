// SET: n=48,s=3,B=8
// SET: n=20,s=2,B=5
// RUN: %treefork verify %s --set n=48,s=3,B=8 --set n=20,s=2,B=5 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// A plane rotation of two vectors; both are read and written.
#include <metafork.h>
void rotation(int n, int s, int B, float c, float d, float x[restrict n], float y[restrict n])
{
    int dim = n / (s * B);
    meta_schedule {
        meta_for (int i = 0; i < dim; i++)
            meta_for (int j = 0; j < B; j++)
                for (int k = 0; k < s; k++) {
                    int p = (i * s + k) * B + j;
                    float old = x[p];
                    x[p] = c * old + d * y[p];
                    y[p] = c * y[p] - d * old;
                }
    }
}
