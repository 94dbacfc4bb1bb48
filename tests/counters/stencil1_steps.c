// SET: T=3,n=50,B=8
// SET: T=2,n=21,B=4
// RUN: %treefork verify %s --set T=3,n=50,B=8 --set T=2,n=21,B=4 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// A time loop of two regions that go forth and back between two rows.
#include <metafork.h>
void stencil1_steps(int T, int n, int B, float a[restrict n], float b[restrict n])
{
    int dim = (n - 2) / B;
    for (int t = 0; t < T; t++) {
        meta_schedule cache(a) {
            meta_for (int i = 0; i < dim; i++)
                meta_for (int j = 0; j < B; j++) {
                    int p = i * B + j + 1;
                    b[p] = 0.25f * a[p - 1] + 0.5f * a[p] + 0.25f * a[p + 1];
                }
        }
        meta_schedule cache(b) {
            meta_for (int i = 0; i < dim; i++)
                meta_for (int j = 0; j < B; j++) {
                    int p = i * B + j + 1;
                    a[p] = 0.125f * b[p - 1] + 0.75f * b[p] + 0.125f * b[p + 1];
                }
        }
    }
}
