// SET: batch=13,B=4
// SET: batch=1,B=8
// SET: batch=64,B=16
// RUN: %treefork verify %s --set batch=13,B=4 --set batch=1,B=8 --set batch=64,B=16 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Small matrices by the batch: products in local arrays, determinants and inverses returned.
#include <metafork.h>
enum { DIM = 3 };
typedef double matrix[DIM][DIM];
void batched(int batch, int B, const matrix *left, const matrix *right, matrix *product, double *restrict det)
{
    meta_schedule {
        meta_for (int i = 0; i <= (batch - 1) / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int at = i * B + j;
                if (at < batch) {
                    double m[DIM][DIM];
                    for (int r = 0; r < DIM; r++)
                        for (int c = 0; c < DIM; c++) {
                            m[r][c] = 0;
                            for (int k = 0; k < DIM; k++)
                                m[r][c] += left[at][r][k] * right[at][k][c];
                        }
                    for (int r = 0; r < DIM; r++)
                        for (int c = 0; c < DIM; c++)
                            product[at][r][c] = m[r][c];
                    det[at] = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                              m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                              m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
                }
            }
    }
}
