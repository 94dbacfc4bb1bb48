// SET: m=14,n=20,s=2,B0=4,B1=4
// SET: m=5,n=13,s=4,B0=2,B1=3
// RUN: %treefork verify %s --set m=14,n=20,s=2,B0=4,B1=4 --set m=5,n=13,s=4,B0=2,B1=3 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// A += x y: an outer product with both vectors staged.
#include <metafork.h>
void rank_one(int m, int n, int s, int B0, int B1, float alpha, const float x[m], const float y[n], float A[m][n])
{
    int dim0 = (m + B0 - 1) / B0, dim1 = (n + s * B1 - 1) / (s * B1);
    meta_schedule cache(x, y) {
        meta_for (int i = 0; i < dim0; i++)
            meta_for (int j = 0; j < dim1; j++)
                meta_for (int u = 0; u < B0; u++)
                    meta_for (int v = 0; v < B1; v++)
                        for (int k = 0; k < s; k++) {
                            int r = i * B0 + u, c = (j * s + k) * B1 + v;
                            if (r < m && c < n)
                                A[r][c] += alpha * x[r] * y[c];
                        }
    }
}
