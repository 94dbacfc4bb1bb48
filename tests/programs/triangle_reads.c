// SET: n=60,B=8
// SET: n=1,B=256
// SET: n=131,B=16
// RUN: %treefork verify %s --set n=60,B=8 --set n=1,B=256 --set n=131,B=16 --witness %witnesses --device-runs once | FileCheck %s
// RUN: %treefork -d access %s | FileCheck --check-prefix=ACCESS %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Arrays that nothing declares the extents of, read up to a guarded row of threads: a run copies n elements, not B times the
// number of blocks, which would be beyond the arrays' ends.
// ACCESS: extent of a: (long)((n + B - 1) / B) > 0L ? (long)n : 0L{{$}}
// ACCESS: extent of b: {{.*}} ? (long)n + 1L : 0L
// ACCESS: extent of c: {{.*}} ? (long)n : 0L
#include <metafork.h>
#include <math.h>
void rows(int n, int B, const float *restrict a, const float *restrict b, float *restrict c)
{
    meta_schedule {
        meta_for (int bi = 0; bi < (n + B - 1) / B; bi++)
            meta_for (int ti = 0; ti < B; ti++) {
                int i = bi * B + ti;
                if (i < n) {
                    float most = -INFINITY, sum = 0;
                    for (int j = 0; j <= i; j++) {
                        most = fmaxf(most, a[j]);
                        for (int k = j; k <= i; k += 3)
                            sum += a[i - k] * b[k + 1];
                    }
                    c[i] = isnan(sum) ? NAN : most + sum;
                }
            }
    }
}
