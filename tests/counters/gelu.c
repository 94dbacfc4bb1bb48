// SET: n=33,s=2,B=8
// SET: n=10,s=3,B=2
// RUN: %treefork verify %s --set n=33,s=2,B=8 --set n=10,s=3,B=2 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// A smooth cut-off by tanh, double.
#include <metafork.h>
#include <math.h>
void gelu(int n, int s, int B, const double x[n], double y[n])
{
    meta_schedule {
        meta_for (int i = 0; i < (n + s * B - 1) / (s * B); i++)
            meta_for (int j = 0; j < B; j++)
                for (int k = 0; k < s; k++) {
                    int p = (i * s + k) * B + j;
                    if (p < n)
                        y[p] = 0.5 * x[p] * (1.0 + tanh(0.7978845608 * (x[p] + 0.044715 * x[p] * x[p] * x[p])));
                }
    }
}
