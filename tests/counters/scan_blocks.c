// SET: n=32,L=3,B=8
// SET: n=15,L=2,B=4
// RUN: %treefork verify %s --set n=32,L=3,B=8 --set n=15,L=2,B=4 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Running sums within blocks: doubling steps to and fro between two arrays.
#include <metafork.h>
void scan_blocks(int n, int L, int B, int x[restrict n], int y[restrict n])
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            for (int l = 0; l < L; l++) {
                meta_for (int j = 0; j < B; j++)
                    y[i * B + j] = j >= 1 << l ? x[i * B + j] + x[i * B + j - (1 << l)] : x[i * B + j];
                meta_for (int j = 0; j < B; j++)
                    x[i * B + j] = y[i * B + j];
            }
    }
}
