// SET: d=4,n=19,B=4
// SET: d=1,n=1,B=1
// SET: d=7,n=40,B=8
// RUN: %treefork verify %s --set d=4,n=19,B=4 --set d=1,n=1,B=1 --set d=7,n=40,B=8 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// A grid of two axes over a block of one: slices and blocks of a row.
#include <metafork.h>
void slices(int d, int n, int B, const float gain[d], float data[d][n])
{
    meta_schedule cache(gain) {
        meta_for (int slice = 0; slice < d; slice++)
            meta_for (int i = 0; i < (n + B - 1) / B; i++) {
                const int base = i * B;
                meta_for (int j = 0; j < B; j++)
                    if (base + j < n)
                        data[slice][base + j] *= gain[slice];
            }
    }
}
