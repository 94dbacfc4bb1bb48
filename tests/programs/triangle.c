// SET: n=26,B=5
// SET: n=3,B=4
// SET: n=64,B=16
// RUN: %treefork verify %s --set n=26,B=5 --set n=3,B=4 --set n=64,B=16 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// A triangular inner loop: y = L x within each diagonal block.
#include <metafork.h>
void triangle(int n, int B, const float L[n][B], const float x[n], float y[n])
{
    int dim = n / B;
    meta_schedule cache(x, L) {
        meta_for (int i = 0; i < dim; i++)
            meta_for (int u = 0; u < B; u++) {
                int row = i * B + u;
                float sum = 0;
                for (int z = 0; z <= u; z++)
                    sum += L[row][z] * x[i * B + z];
                y[row] = sum;
            }
    }
}
