// SET: m=9,n=20,s=2,B=4
// SET: m=4,n=11,s=3,B=2
// RUN: %treefork verify %s --set m=9,n=20,s=2,B=4 --set m=4,n=11,s=3,B=2 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Least, greatest and mean of columns, several columns a thread, double.
#include <metafork.h>
#include <math.h>
void extremes_columns(int m, int n, int s, int B, const double a[m][n], double least[n], double most[n], double mean[n])
{
    meta_schedule {
        meta_for (int i = 0; i < (n + s * B - 1) / (s * B); i++)
            meta_for (int j = 0; j < B; j++)
                for (int k = 0; k < s; k++) {
                    int c = (i * s + k) * B + j;
                    if (c < n) {
                        double low = a[0][c], high = a[0][c], sum = 0.0;
                        for (int r = 0; r < m; r++) {
                            low = fmin(low, a[r][c]);
                            high = fmax(high, a[r][c]);
                            sum += a[r][c];
                        }
                        least[c] = low;
                        most[c] = high;
                        mean[c] = sum / m;
                    }
                }
    }
}
