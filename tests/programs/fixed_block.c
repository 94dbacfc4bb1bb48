// SET: n=300
// SET: n=1
// SET: n=1024
// RUN: %treefork verify %s --set n=300 --set n=1 --set n=1024 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Nothing tunable: the block has 64 threads.
#include <metafork.h>
void fixed_block(int n, const int *restrict x, int *restrict y)
{
    int blocks = (n + 63) / 64;
    meta_schedule cache(x) {
        meta_for (int i = 0; i < blocks; i++)
            meta_for (int j = 0; j < 64; j++) {
                int p = 64 * i + j;
                if (p < n)
                    y[p] = 3 * x[p] - x[n - 1 - p];
            }
    }
}
