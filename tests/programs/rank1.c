// SET: rows=21,cols=17,B0=4,B1=3,alpha=1.5
// SET: rows=6,cols=5,B0=8,B1=8,alpha=-2
// SET: rows=16,cols=32,B0=4,B1=8,alpha=0.5
// RUN: %treefork verify %s --set rows=21,cols=17,B0=4,B1=3,alpha=1.5 --set rows=6,cols=5,B0=8,B1=8,alpha=-2 --set rows=16,cols=32,B0=4,B1=8,alpha=0.5 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// A += alpha x y^T with ceilings and guards; both vectors staged.
#include <metafork.h>
#define CEIL_DIV(a, b) (((a) + (b) - 1) / (b))
void rank1(int rows, int cols, int B0, int B1, double alpha, double A[rows][cols], const double x[rows], const double y[cols])
{
    meta_schedule cache(x, y) {
        meta_for (int bi = 0; bi < CEIL_DIV(rows, B0); bi++)
            meta_for (int bj = 0; bj < CEIL_DIV(cols, B1); bj++)
                meta_for (int ti = 0; ti < B0; ti++)
                    meta_for (int tj = 0; tj < B1; tj++) {
                        int r = bi * B0 + ti, c = bj * B1 + tj;
                        if (r < rows && c < cols)
                            A[r][c] += alpha * x[r] * y[c];
                    }
    }
}
