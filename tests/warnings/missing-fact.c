// RUN: %treefork dump access %s 2>&1 | FileCheck %s
// RUN: %treefork dump access %s -DMEND 2>&1 | FileCheck --check-prefix=MENDED %s
// A stride of unknown sign: the advice is the line that proves independence.
#include <assert.h>
#include <metafork.h>
void strides(int n, int w, int B, int r, float *restrict x)
{
#ifdef MEND
    assert(w >= 1);
#endif
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++)
                for (int k = 0; k < r; k++) {
                    int p = i * B + j;
                    if (k * k < w)
                        // CHECK: missing-fact.c:[[@LINE+1]]:25: warning: independence of the meta_for iterations is believed, not proved: it is not known that w * r >= 1; `assert(w >= 1);` before the region says so
                        x[p * (w * r) + w] += 1;
                }
    }
}
// MENDED-NOT: warning
// MENDED: parallel: proved{{$}}
