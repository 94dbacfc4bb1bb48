// SET: n=7,m=12
// SET: n=1,m=1
// SET: n=20,m=33
// RUN: %treefork verify %s --set n=7,m=12 | FileCheck %s
// RUN: %treefork verify %s --set n=1,m=1 --witness threads | FileCheck %s
// RUN: %treefork verify %s --set n=20,m=33 --witness cpu | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK: verified, 0 failed
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
