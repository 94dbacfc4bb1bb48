// SET: n=64,B=8
// SET: n=16,B=4
// SET: n=256,B=32
// RUN: %treefork verify %s --set n=64,B=8 --set n=16,B=4 --set n=256,B=32 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Subscripts by masks, shifts and quotients: p & 15, p >> 2, p / 8.
#include <metafork.h>
void masks(int n, int B, const int table[16], const short quarter[n / 4], const long eighth[n / 8 + 1], long out[n])
{
    meta_schedule cache(table, quarter, eighth) {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                out[p] = table[p & 15] + quarter[p >> 2] * 3 - eighth[p / 8] + (-p >> 1) + -p % 5;
            }
    }
}
