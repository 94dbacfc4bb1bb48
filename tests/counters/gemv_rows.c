// SET: m=26,n=9,s=2,B=4
// SET: m=11,n=7,s=3,B=3
// RUN: %treefork verify %s --set m=26,n=9,s=2,B=4 --set m=11,n=7,s=3,B=3 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// y = A x + y, several rows a thread, x staged whole.
#include <metafork.h>
void gemv_rows(int m, int n, int s, int B, const float A[m][n], const float x[n], float y[m])
{
    int dim = (m + s * B - 1) / (s * B);
    meta_schedule cache(x) {
        meta_for (int i = 0; i < dim; i++)
            meta_for (int j = 0; j < B; j++)
                for (int r = 0; r < s; r++) {
                    int row = (i * s + r) * B + j;
                    if (row < m) {
                        float sum = 0.0f;
                        for (int k = 0; k < n; k++)
                            sum += A[row][k] * x[k];
                        y[row] += sum;
                    }
                }
    }
}
