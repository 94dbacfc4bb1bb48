// SET: m=13,n=21,B=4
// SET: m=1,n=3,B=8
// SET: m=40,n=64,B=16
// RUN: %treefork verify %s --set m=13,n=21,B=4 --set m=1,n=3,B=8 --set m=40,n=64,B=16 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// y = A^T x: a column per thread, all rows in a serial loop, an accumulator in memory.
#include <metafork.h>
void gemvt(int m, int n, int B, const double A[m][n], const double x[m], double y[n])
{
    int dim = (n + B - 1) / B;
    meta_schedule {
        meta_for (int i = 0; i < dim; i++)
            meta_for (int j = 0; j < B; j++) {
                int col = i * B + j;
                if (col < n) {
                    y[col] = 0;
                    for (int row = 0; row < m; row++)
                        y[col] += A[row][col] * x[row];
                }
            }
    }
}
