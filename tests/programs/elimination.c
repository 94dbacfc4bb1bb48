// SET: n=14,B0=3,B1=4,k=4,rest=9
// SET: n=2,B0=1,B1=1,k=0,rest=1
// SET: n=33,B0=8,B1=8,k=7,rest=25
// RUN: %treefork verify %s --set n=14,B0=3,B1=4 --set n=2,B0=1,B1=1 --set n=33,B0=8,B1=8 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// RUN: mkdir -p %t && %treefork build %s -o %t && FileCheck %s --check-prefix=LOOPS < %t/elimination.cl
// A compiler does not follow the number of a row from row to row:
// LOOPS: for (volatile int row = 0;
// Steps of LU without pivoting: the trailing part of a matrix from its own first row and column, one region per step.
#include <metafork.h>
void elimination(int n, int B0, int B1, double a[n][n])
{
    for (int k = 0; k < n - 1; k++) {
        double pivot = a[k][k] * a[k][k] + 1;
        for (int i = k + 1; i < n; i++)
            a[i][k] /= pivot;
        int rest = n - 1 - k;
        meta_schedule {
            meta_for (int bi = 0; bi < (rest + B0 - 1) / B0; bi++)
                meta_for (int bj = 0; bj < (rest + B1 - 1) / B1; bj++)
                    meta_for (int ti = 0; ti < B0; ti++)
                        meta_for (int tj = 0; tj < B1; tj++) {
                            int i = k + 1 + bi * B0 + ti, j = k + 1 + bj * B1 + tj;
                            if (i < n && j < n)
                                a[i][j] -= a[i][k] * a[k][j];
                        }
        }
    }
}
