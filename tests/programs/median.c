// SET: n=50,B=7
// SET: n=3,B=8
// SET: n=128,B=32
// RUN: %treefork verify %s --set n=50,B=7 --set n=3,B=8 --set n=128,B=32 --witness %witnesses --device-runs once | FileCheck %s
// RUN: %treefork -d access %s 2>&1 | FileCheck --check-prefix=ACCESS --implicit-check-not=warning %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// ACCESS: extent of in: {{.*}} ? (long)n : 0L
// An integer median filter on bytes; edges are copied; a helper with several statements.
#include <metafork.h>
typedef unsigned char byte;
static inline int middle(int a, int b, int c)
{
    int low = a < b ? a : b;
    int high = a < b ? b : a;
    if (c < low)
        return low;
    return c > high ? high : c;
}
void median(int n, int B, const byte *restrict in, byte *restrict out)
{
    int blocks = (n + B - 1) / B;
    meta_schedule cache(in) {
        meta_for (int i = 0; i < blocks; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                if (p < n) {
                    if (p == 0 || p == n - 1)
                        out[p] = in[p];
                    else
                        out[p] = (byte)middle(in[p - 1], in[p], in[p + 1]);
                }
            }
    }
}
