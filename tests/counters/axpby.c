// SET: n=70,s=4,B=8
// SET: n=19,s=3,B=2
// RUN: %treefork verify %s --set n=70,s=4,B=8 --set n=19,s=3,B=2 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// y = alpha x + beta y in double, several elements a thread.
#include <metafork.h>
void axpby(int n, int s, int B, double alpha, double beta, const double *restrict x, double *restrict y)
{
    int dim = (n + s * B - 1) / (s * B);
    meta_schedule {
        meta_for (int i = 0; i < dim; i++)
            meta_for (int j = 0; j < B; j++)
                for (int k = 0; k < s; k++) {
                    int p = (i * s + k) * B + j;
                    if (p < n)
                        y[p] = alpha * x[p] + beta * y[p];
                }
    }
}
