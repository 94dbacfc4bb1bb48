// SET: n=37,B=4,s=3
// SET: n=1,B=3,s=1
// SET: n=2,B=1,s=2
// RUN: %treefork verify %s --set n=37,B=4,s=3 --set n=1,B=3,s=1 --set n=2,B=1,s=2 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: warning:
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// The threads of one block, or of all blocks, share a loop by steps that are products of parameters: written out, through
// a local before the region, and counting down. Arrays without extents: no more is promised than the loops touch.
#include <metafork.h>
void block_strides(int n, int B, int s, const float *restrict x, float *restrict y, int *restrict count)
{
    int stride = 2 * B, gap = s * B;
    meta_schedule {
        meta_for (int b = 0; b < 1; b++)
            meta_for (int j = 0; j < B; j++)
                for (int i = 2 * j + 1; i < n - 1; i += stride)
                    y[i] = x[i - 1] + x[i + 1];
    }
    meta_schedule {
        meta_for (int b = 0; b < s; b++)
            meta_for (int j = 0; j < B; j++)
                for (long i = b * B + j; i < n; i += gap)
                    count[i] += (int)x[i];
    }
    meta_schedule {
        meta_for (int b = 0; b < s; b++)
            meta_for (int j = 0; j < B; j++)
                for (int i = n - 1 - (b * B + j); i >= 0; i -= s * B)
                    count[i] *= 3;
    }
}
