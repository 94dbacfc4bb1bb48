// RUN: %treefork dump access %s 2>&1 | FileCheck %s
// RUN: %treefork dump access %s -DMEND 2>&1 | FileCheck --check-prefix=MENDED %s
// A tile whose extent may be negative: the advice is the line that makes the array staged.
#include <assert.h>
#include <metafork.h>
void taps(int n, int B, int r, const float *restrict x, float *restrict b)
{
#ifdef MEND
    assert(r >= 0);
#endif
    // CHECK: extent-sign.c:[[@LINE+1]]:25: warning: `x` is not staged: the extent B + 2*r may be negative; `assert(r >= 0);` before the region excludes that
    meta_schedule cache(x) {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                float t = 0;
                for (int k = 0; k < 2 * r + 1; k++)
                    t += x[i * B + j + k];
                b[i * B + j] = t;
            }
    }
}
// MENDED-NOT: warning
// MENDED: tile of x: r0 < B + 2*r
