// SET: N=16,B0=4,B1=4
// SET: N=9,B0=3,B1=2
// RUN: %treefork verify %s --set N=16,B0=4,B1=4 --set N=9,B0=3,B1=2 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Symmetric update of rank two, lower triangle only, double.
#include <metafork.h>
void rank_two_lower(int N, int B0, int B1, double alpha, const double x[N], const double y[N], double A[N][N])
{
    meta_schedule cache(x, y) {
        meta_for (int i = 0; i < (N + B0 - 1) / B0; i++)
            meta_for (int j = 0; j < (N + B1 - 1) / B1; j++)
                meta_for (int u = 0; u < B0; u++)
                    meta_for (int v = 0; v < B1; v++) {
                        int r = i * B0 + u, c = j * B1 + v;
                        if (r < N && c <= r)
                            A[r][c] += alpha * (x[r] * y[c] + y[r] * x[c]);
                    }
    }
}
