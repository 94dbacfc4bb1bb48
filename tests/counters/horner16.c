// SET: n=33,s=2,B=8
// SET: n=9,s=4,B=1
// RUN: %treefork verify %s --set n=33,s=2,B=8 --set n=9,s=4,B=1 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// A polynomial of degree fifteen whose coefficients a thread holds in locals.
#include <metafork.h>
void horner16(int n, int s, int B, const float c[16], const float x[n], float y[n])
{
    meta_schedule cache(c) {
        meta_for (int i = 0; i < (n + s * B - 1) / (s * B); i++)
            meta_for (int j = 0; j < B; j++)
                for (int k = 0; k < s; k++) {
                    int p = (i * s + k) * B + j;
                    if (p < n) {
                        float z = 0.001f * x[p];
                        float sum = c[15];
                        for (int t = 14; t >= 0; t--)
                            sum = sum * z + c[t];
                        y[p] = sum;
                    }
                }
    }
}
