// SET: n=37,B=8,m=50
// SET: n=2,B=2,m=7
// SET: n=100,B=16,m=33
// RUN: %treefork verify %s --set n=37,B=8,m=50 | FileCheck %s
// RUN: %treefork verify %s --set n=2,B=2,m=7 --witness threads | FileCheck %s
// RUN: %treefork verify %s --set n=100,B=16,m=33 --witness cpu | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK: {{[1-9][0-9]*}} verified, 0 failed
// Reads through an array of indices.
#include <metafork.h>
void gather(int n, int B, unsigned m, const unsigned short *restrict index, const float table[m], float *restrict out)
{
    meta_schedule cache(table) {
        meta_for (int i = 0; i < (n + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                if (p < n)
                    out[p] = table[index[p] % m] + table[m - 1 - index[p] % m] * 0.5f;
            }
    }
}
