// SET: n=47,B=8
// SET: n=1,B=1
// SET: n=300,B=64
// RUN: %treefork verify %s --set n=47,B=8 --set n=1,B=1 --set n=300,B=64 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// A table of 256 entries read by byte values.
#include <metafork.h>
void lookup(int n, int B, const unsigned char *restrict codes, const unsigned short table[256], unsigned short *restrict out)
{
    meta_schedule cache(table, codes) {
        meta_for (int i = 0; i < (n + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                if (p < n)
                    out[p] = table[codes[p]];
            }
    }
}
