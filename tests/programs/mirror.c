// SET: n=13,B=4
// SET: n=1,B=4
// SET: n=33,B=8
// RUN: %treefork verify %s --set n=13,B=4 --set n=1,B=4 --set n=33,B=8 --witness %witnesses --device-runs once | FileCheck %s
// RUN: %treefork -d access %s 2>&1 | FileCheck --check-prefix=ACCESS --implicit-check-not=warning %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// ACCESS: parallel: proved
// A square matrix is transposed in place: the thread above the diagonal exchanges two elements, both blocks staged.
#include <metafork.h>
void mirror(int n, int B, double a[n][n])
{
    int dim = (n + B - 1) / B;
    meta_schedule cache(a) {
        meta_for (int bi = 0; bi < dim; bi++)
            meta_for (int bj = 0; bj < dim; bj++)
                meta_for (int ti = 0; ti < B; ti++)
                    meta_for (int tj = 0; tj < B; tj++) {
                        int r = bi * B + ti, c = bj * B + tj;
                        if (c < n && r < c) {
                            double t = a[r][c];
                            a[r][c] = a[c][r];
                            a[c][r] = t;
                        }
                    }
    }
}
