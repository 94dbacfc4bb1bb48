// SET: m=5,L=2,B=4
// SET: m=3,L=3,B=8
// RUN: %treefork verify %s --set m=5,L=2,B=4 --set m=3,L=3,B=8 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Softmax of rows of one block each: greatest, sum and quotient, with barriers between.
#include <metafork.h>
#include <math.h>
void softmax_rows(int m, int L, int B, float x[restrict m][B], float w[restrict m][B])
{
    meta_schedule {
        meta_for (int i = 0; i < m; i++) {
            meta_for (int j = 0; j < B; j++)
                w[i][j] = x[i][j];
            for (int l = 1; l <= L; l++)
                meta_for (int j = 0; j < B; j++)
                    if (j < B >> l)
                        w[i][j] = fmaxf(w[i][j], w[i][j + (B >> l)]);
            meta_for (int j = 0; j < B; j++)
                x[i][j] = expf(x[i][j] - w[i][0]);
            meta_for (int j = 0; j < B; j++)
                w[i][j] = x[i][j];
            for (int l = 1; l <= L; l++)
                meta_for (int j = 0; j < B; j++)
                    if (j < B >> l)
                        w[i][j] += w[i][j + (B >> l)];
            meta_for (int j = 0; j < B; j++)
                x[i][j] /= w[i][0];
        }
    }
}
