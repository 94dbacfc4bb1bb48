// SET: n=70,t=0,B=8
// SET: n=19,t=3,B=2
// RUN: %treefork verify %s --set n=70,t=0,B=8 --set n=19,t=3,B=2 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// What is read is read in both branches, what is written in one: a reference of the branch that is not taken touches nothing.
#include <metafork.h>
void turns(int n, int t, int B, const double *restrict x, double *restrict odd, double *restrict even)
{
    int dim = (n + B - 1) / B;
    meta_schedule {
        meta_for (int i = 0; i < dim; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                if (t % 2) {
                    if (p < n)
                        odd[p] = x[p] + 1;
                } else {
                    if (p < n)
                        even[p] = x[p] * x[p];
                }
            }
    }
}
