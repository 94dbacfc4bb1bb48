// SET: n=33,B=4
// SET: n=3,B=4
// SET: n=128,B=16
// RUN: %treefork verify %s --set n=33,B=4 --set n=3,B=4 --set n=128,B=16 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Three block bands one after the other: forward difference, square, neighbour sum within the block.
#include <metafork.h>
void stages(int n, int B, const int in[n + 1], int d[n], int out[n])
{
    meta_schedule cache(in, d) {
        meta_for (int i = 0; i < n / B; i++) {
            meta_for (int j = 0; j < B; j++)
                d[i * B + j] = in[i * B + j + 1] - in[i * B + j];
            meta_for (int j = 0; j < B; j++)
                d[i * B + j] *= d[i * B + j];
            meta_for (int j = 0; j < B; j++)
                out[i * B + j] = d[i * B + j] + (j > 0 ? d[i * B + j - 1] : 0) + (j < B - 1 ? d[i * B + j + 1] : 0);
        }
    }
}
