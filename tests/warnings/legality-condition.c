// RUN: %treefork dump access %s 2>&1 | FileCheck %s
// RUN: %treefork dump access %s -DMEND 2>&1 | FileCheck --check-prefix=MENDED %s
// Legal only for q <= p: said with array, line and the assertion that makes it a fact, and the assertion does.
#include <assert.h>
#include <metafork.h>
void rows(int n, int B, int p, int q, float *restrict b)
{
#ifdef MEND
    assert(q <= p);
#endif
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++)
                for (int k = 0; k < q; k++)
                    // CHECK: legality-condition.c:[[@LINE+1]]:21: warning: the iterations of meta_for that touch `b` are proved independent only where q <= p; elsewhere the region runs serially (`assert(q <= p);` before the region makes it a fact)
                    b[(i * B + j) * p + k] += 1;
    }
}
// CHECK: proved under q <= p
// MENDED-NOT: warning
// MENDED: parallel: proved{{$}}
