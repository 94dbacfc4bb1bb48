// SET: n=27,s=2,B=5
// RUN: %treefork verify %s --set n=27,s=2,B=5 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// A program written in macros, with pragmas between its loops.
#include <metafork.h>
#define FOR(v, n) for (int v = 0; v < (n); v++)
#define BLOCKS(n, b) (((n) + (b) - 1) / (b))
#define IDX(i, k, j) (((i) * s + (k)) * B + (j))
#define GUARD(p) if ((p) < n)
#define AT(a, p) a[(p)]
void macros(int n, int s, int B, int *restrict a)
{
    meta_schedule {
        meta_for (int i = 0; i < BLOCKS(n, s * B); i++)
            meta_for (int j = 0; j < B; j++) {
#pragma unroll
                FOR(k, s)
                {
                    GUARD(IDX(i, k, j)) { AT(a, IDX(i, k, j)) += AT(a, IDX(i, k, j)) % 3 + __LINE__; }
                }
            }
    }
}
