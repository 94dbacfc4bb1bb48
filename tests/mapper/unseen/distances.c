// RUN: %treefork verify %s --set n=37,dim=3 --set n=2,dim=1 --set n=1,dim=0 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// A symmetric matrix set by two writes in a row. Plain C, as a new user wrote it.
#include <math.h>
void distances(int n, int dim, const float p[restrict n][dim], double d[restrict n][n], int count[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        d[i][i] = count[i] = 0;
        for (int j = i + 1; j < n; j++) {
            double s = 0;
            for (int k = 0; k < dim; k++)
                s += (p[i][k] - p[j][k]) * (p[i][k] - p[j][k]);
            d[i][j] = d[j][i] = sqrt(s);
        }
    }
#pragma endscop
}
