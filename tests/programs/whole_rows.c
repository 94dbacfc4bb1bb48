// SET: n=7,m=12
// SET: n=1,m=1
// SET: n=20,m=33
// RUN: %treefork verify %s --set n=7,m=12 --set n=1,m=1 --set n=20,m=33 --witness threads,cpu,opencl --device-runs %device_runs | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// No block size at all: a block per row, a thread per column.
#include <metafork.h>
void whole_rows(int n, int m, const int a[n][m], int b[m][n])
{
    meta_schedule cache(a) {
        meta_for (int y = 0; y < n; y++)
            meta_for (int x = 0; x < m; x++)
                b[x][y] = a[y][m - 1 - x];
    }
}
