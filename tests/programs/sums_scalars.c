// SET: n=200,B=1,wide=5
// SET: n=0,B=3,wide=-7
// SET: n=1,B=32,wide=0
// SET: n=517,B=100,wide=1
// SET: n=300,B=256,wide=9
// RUN: %treefork verify %s --set n=200,B=1,wide=5 --set n=0,B=3,wide=-7 --set n=1,B=32,wide=0 --set n=517,B=100,wide=1 --set n=300,B=256,wide=9 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Scalars of the function, of the file and parameters as sums and extremes.
#include <metafork.h>
static unsigned seen;
long scalars(int n, int B, long wide, double out[3], const int *x, const float *y)
{
    int count = n, least = 1 << 30;
    float most = -1;
    double sum = 0.5;
    seen = 3;
    meta_schedule meta_reduce(+, count, wide, sum, seen) meta_reduce(min, least) meta_reduce(max, most) {
        meta_for (int b = 0; b < (n + B - 1) / B; b++)
            meta_for (int t = 0; t < B; t++) {
                int i = b * B + t;
                if (i < n) {
                    count -= x[i] & 1;
                    wide += 3L * x[i];
                    sum = x[i] * 0.25 + sum;
                    seen++;
                    least = x[i] < least ? x[i] : least;
                    if (y[i] > most)
                        most = y[i];
                }
            }
    }
    out[0] = sum;
    out[1] = most;
    out[2] = least;
    return wide + count + seen;
}
