// SET: m=12,n=24,B=4,h=3
// SET: m=8,n=10,B=5,h=4
// RUN: %treefork verify %s --set m=12,n=24,B=4,h=3 --set m=8,n=10,B=5,h=4 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// y = x A in pieces of x that a block stages, double.
#include <metafork.h>
void gemv_columns(int m, int n, int B, int h, const double A[m][n], const double x[m], double y[n])
{
    meta_schedule cache(x) {
        meta_for (int i = 0; i < n / B; i++)
            for (int k = 0; k < m / h; k++)
                meta_for (int j = 0; j < B; j++) {
                    int column = i * B + j;
                    for (int z = 0; z < h; z++)
                        y[column] += x[k * h + z] * A[k * h + z][column];
                }
    }
}
