// SET: n=200,m=7,B=1
// SET: n=0,m=3,B=3
// SET: n=1,m=33,B=32
// SET: n=517,m=100,B=100
// SET: n=300,m=1,B=256
// RUN: %treefork verify %s --set n=200,m=7,B=1 --set n=0,m=3,B=3 --set n=1,m=33,B=32 --set n=517,m=100,B=100 --set n=300,m=1,B=256 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Sums of 32-bit integers over all iterations, along rows and columns, with a map beside them, and
// extremes and bits under conditions.
#include <metafork.h>
void sums(int n, int m, int B, int total[2], unsigned bits[3], int ends[2], int row[m], int *column,
          const int *x, int y[n], const int a[m][n])
{
    meta_schedule meta_reduce(+, total) meta_reduce(min, ends) {
        meta_for (int i = 0; i < (n + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                if (p < n) {
                    y[p] = 3 * x[p];
                    total[0] += y[p];
                    total[1]++;
                    if (x[p] < ends[0])
                        ends[0] = x[p];
                    ends[1] = -x[p] <= ends[1] ? -x[p] : ends[1];
                }
            }
    }
    meta_schedule meta_reduce(&, bits) {
        meta_for (int i = 0; i < (m + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++)
                if (i * B + j < m)
                    bits[(i + j) % 3] = ~(unsigned)(i * j) & bits[(i + j) % 3];
    }
    meta_schedule meta_reduce(+, row, column) {
        meta_for (int i = 0; i < (m + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                if (p < m)
                    for (int q = 0; q < n; q++) {
                        row[p] -= a[p][q];
                        column[q] = a[p][q] + column[q];
                    }
            }
    }
}
