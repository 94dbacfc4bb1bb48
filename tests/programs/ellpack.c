// SET: rows=23,width=5,cols=31,B=4
// SET: rows=1,width=1,cols=1,B=1
// SET: rows=100,width=7,cols=64,B=32
// RUN: %treefork verify %s --set rows=23,width=5,cols=31,B=4 --set rows=1,width=1,cols=1,B=1 --set rows=100,width=7,cols=64,B=32 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// A sparse matrix in ELLPACK format times a vector.
#include <metafork.h>
void ellpack(int rows, int width, unsigned cols, int B, const unsigned *restrict col, const double *restrict value,
             const double x[cols], double *restrict y)
{
    meta_schedule {
        meta_for (int i = 0; i < (rows + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int row = i * B + j;
                if (row < rows) {
                    double sum = 0;
                    for (int k = 0; k < width; k++)
                        sum += value[k * rows + row] * x[col[k * rows + row] % cols];
                    y[row] = sum;
                }
            }
    }
}
