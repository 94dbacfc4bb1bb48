// SET: n=13,m=9,B=4
// SET: n=1,m=1,B=2
// SET: n=40,m=32,B=8
// RUN: %treefork verify %s --set n=13,m=9,B=4 --set n=1,m=1,B=2 --set n=40,m=32,B=8 --witness threads,cpu,opencl --device-runs %device_runs | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Three regions of different shape in one function, with serial code between that reads and writes their arrays.
#include <metafork.h>
double three_regions(int n, int m, int B, double a[n][m], double *restrict rows, double *restrict columns)
{
    double largest = 0;
    meta_schedule {
        meta_for (int i = 0; i < (n + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++)
                if (i * B + j < n) {
                    rows[i * B + j] = 0;
                    for (int k = 0; k < m; k++)
                        rows[i * B + j] += a[i * B + j][k];
                }
    }
    for (int i = 0; i < n; i++)
        if (rows[i] > largest)
            largest = rows[i];
    rows[0] = largest + 1;
    meta_schedule {
        meta_for (int i = 0; i < (n + B - 1) / B; i++)
            meta_for (int j = 0; j < (m + B - 1) / B; j++)
                meta_for (int u = 0; u < B; u++)
                    meta_for (int v = 0; v < B; v++)
                        if (i * B + u < n && j * B + v < m)
                            a[i * B + u][j * B + v] /= rows[0];
    }
    if (m > 1)
        meta_schedule {
            meta_for (int j = 0; j < (m + B - 1) / B; j++)
                meta_for (int v = 0; v < B; v++)
                    if (j * B + v < m)
                        columns[j * B + v] = a[0][j * B + v] - a[n - 1][j * B + v];
        }
    return largest;
}
