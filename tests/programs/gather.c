// SET: n=37,B=8,m=50
// SET: n=2,B=2,m=7
// SET: n=100,B=16,m=33
// RUN: %treefork verify %s --set n=37,B=8,m=50 --set n=2,B=2,m=7 --set n=100,B=16,m=33 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
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
