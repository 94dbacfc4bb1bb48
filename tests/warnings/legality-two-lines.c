// RUN: %treefork dump access %s 2>&1 | FileCheck %s
// RUN: %treefork dump access %s -DMEND 2>&1 | FileCheck --check-prefix=MENDED %s
// Three conditions, one with a power and about two lines: the assertion is C, the note has the other place.
#include <assert.h>
#include <metafork.h>
void squares(int n, int B, int m, int r, float *restrict b)
{
#ifdef MEND
    assert(r >= 0);
    assert(1 <= m);
    assert(n*m + 1 <= 4*r*r + m);
#endif
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                // CHECK: legality-two-lines.c:[[@LINE+3]]:17: warning: the iterations of meta_for that touch `b` are proved independent only where n*m + 1 <= 4*r^2 + m; elsewhere the region runs serially (`assert(n*m + 1 <= 4*r*r + m);` before the region makes it a fact)
                // CHECK: legality-two-lines.c:[[@LINE+2]]:17: note: write of `b` here
                // CHECK: legality-two-lines.c:[[@LINE+2]]:17: note: write of `b` here
                b[(i * B + j) * m] = 1;
                b[(i * B + j) * m + 4 * r * r] = 2;
            }
    }
}
// MENDED-NOT: warning
// MENDED: parallel: proved{{$}}
