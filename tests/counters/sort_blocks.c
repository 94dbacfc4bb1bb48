// SET: n=24,B=8
// SET: n=14,B=4
// RUN: %treefork verify %s --set n=24,B=8 --set n=14,B=4 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Sorting of blocks by exchange of odd and even neighbours, a barrier per step.
#include <metafork.h>
void sort_blocks(int n, int B, int x[n])
{
    meta_schedule cache(x) {
        meta_for (int i = 0; i < n / B; i++)
            for (int t = 0; t < B; t++)
                meta_for (int j = 0; j < B; j++) {
                    int p = i * B + j;
                    if (j % 2 == t % 2 && j + 1 < B && x[p] > x[p + 1]) {
                        int big = x[p];
                        x[p] = x[p + 1];
                        x[p + 1] = big;
                    }
                }
    }
}
