// SET: n=80,s=4,L=3,B=8
// SET: n=21,s=2,L=2,B=4
// RUN: %treefork verify %s --set n=80,s=4,L=3,B=8 --set n=21,s=2,L=2,B=4 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Scalar product up to one sum per block: products of a thread, then halving with a barrier per level.
#include <metafork.h>
void dot_blocks(int n, int s, int L, int B, const float x[n], const float y[n], float work[restrict n + B],
                float sums[restrict n])
{
    int dim = (n + s * B - 1) / (s * B);
    meta_schedule {
        meta_for (int i = 0; i < dim; i++) {
            meta_for (int j = 0; j < B; j++) {
                float sum = 0.0f;
                for (int k = 0; k < s; k++) {
                    int p = (i * s + k) * B + j;
                    if (p < n)
                        sum += x[p] * y[p];
                }
                work[i * B + j] = sum;
            }
            for (int l = 1; l <= L; l++)
                meta_for (int j = 0; j < B; j++)
                    if (j < B >> l)
                        work[i * B + j] += work[i * B + j + (B >> l)];
            meta_for (int j = 0; j < B; j++)
                if (j == 0)
                    sums[i] = work[i * B];
        }
    }
}
