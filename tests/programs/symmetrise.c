// SET: n=21,B=4
// SET: n=1,B=4
// SET: n=48,B=8
// RUN: %treefork verify %s --set n=21,B=4 --set n=1,B=4 --set n=48,B=8 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Both halves of a matrix from its upper one: the thread of i < j writes a[i][j] and a[j][i].
#include <metafork.h>
void symmetrise(int n, int B, const int a[n][n], int b[n][n])
{
    int dim = (n + B - 1) / B;
    meta_schedule {
        meta_for (int bi = 0; bi < dim; bi++)
            meta_for (int bj = 0; bj < dim; bj++)
                meta_for (int ti = 0; ti < B; ti++)
                    meta_for (int tj = 0; tj < B; tj++) {
                        int i = bi * B + ti, j = bj * B + tj;
                        if (i < n && j < n) {
                            if (i < j)
                                b[i][j] = a[i][j] + a[j][i];
                            else
                                b[i][j] = a[i][j] * 2;
                        }
                    }
    }
}
