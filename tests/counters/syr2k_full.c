// SET: n=10,l=6,B0=2,B1=4
// SET: n=9,l=3,B0=4,B1=4
// RUN: %treefork verify %s --set n=10,l=6,B0=2,B1=4 --set n=9,l=3,B0=4,B1=4 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// C += A times B transposed and B times A transposed, double, locals.
#include <metafork.h>
void syr2k_full(int n, int l, int B0, int B1, double alpha, const double A[n][l], const double B[n][l], double C[n][n])
{
    meta_schedule {
        meta_for (int i = 0; i < (n + B0 - 1) / B0; i++)
            meta_for (int j = 0; j < (n + B1 - 1) / B1; j++)
                meta_for (int u = 0; u < B0; u++)
                    meta_for (int v = 0; v < B1; v++) {
                        int r = i * B0 + u, c = j * B1 + v;
                        if (r < n && c < n) {
                            double sum = 0.0;
                            for (int k = 0; k < l; k++)
                                sum += A[r][k] * B[c][k] + B[r][k] * A[c][k];
                            C[r][c] += alpha * sum;
                        }
                    }
    }
}
