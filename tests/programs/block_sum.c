// SET: n=50,B=8,levels=3
// SET: n=8,B=8,levels=3
// SET: n=128,B=32,levels=5
// RUN: %treefork verify %s --set n=50,B=8,levels=3 --set n=8,B=8,levels=3 --set n=128,B=32,levels=5 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Sums of blocks by halving within a block: a band per level, a barrier between.
#include <metafork.h>
void block_sum(int n, int B, int levels, int x[restrict n], int *restrict sums)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++) {
            for (int l = 1; l <= levels; l++)
                meta_for (int j = 0; j < B; j++)
                    if (j < B >> l)
                        x[i * B + j] += x[i * B + j + (B >> l)];
            meta_for (int j = 0; j < B; j++)
                if (j == 0)
                    sums[i] = x[i * B];
        }
    }
}
