// SET: n=9,B=2
// SET: n=4,B=4
// RUN: %treefork verify %s --set n=9,B=2 --set n=4,B=4 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Sums and differences of eight complex numbers in three stages of local arrays.
#include <metafork.h>
void butterfly8(int n, int B, float re[restrict n][8], float im[restrict n][8])
{
    meta_schedule {
        meta_for (int i = 0; i < (n + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                if (p < n) {
                    float x[8], y[8];
                    for (int k = 0; k < 8; k++) {
                        x[k] = re[p][k];
                        y[k] = im[p][k];
                    }
                    for (int l = 0; l < 3; l++)
                        for (int k = 0; k < 8; k++)
                            if ((k >> l) % 2 == 0) {
                                int h = 1 << l;
                                float u = x[k + h], v = y[k + h];
                                x[k + h] = x[k] - u;
                                y[k + h] = v - y[k];
                                x[k] += u;
                                y[k] += v;
                            }
                    for (int k = 0; k < 8; k++) {
                        re[p][k] = x[k];
                        im[p][k] = y[k];
                    }
                }
            }
    }
}
