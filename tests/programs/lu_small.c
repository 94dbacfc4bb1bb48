// SET: batch=11,B=4
// SET: batch=1,B=2
// SET: batch=70,B=16
// RUN: %treefork verify %s --set batch=11,B=4 --set batch=1,B=2 --set batch=70,B=16 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Factors of small matrices in place: triangular loops with literal bounds in each thread.
#include <metafork.h>
#define D 4
void lu_small(int batch, int B, double m[batch][D][D])
{
    meta_schedule {
        meta_for (int i = 0; i < (batch + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int b = i * B + j;
                if (b < batch)
                    for (int k = 0; k < D; k++) {
                        m[b][k][k] = m[b][k][k] * m[b][k][k] + 1;
                        for (int r = k + 1; r < D; r++) {
                            m[b][r][k] /= m[b][k][k];
                            for (int c = k + 1; c < D; c++)
                                m[b][r][c] -= m[b][r][k] * m[b][k][c];
                        }
                    }
            }
    }
}
