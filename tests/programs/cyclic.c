// SET: n=24,B=6,shift=5
// SET: n=4,B=4,shift=1
// SET: n=96,B=16,shift=40
// RUN: %treefork verify %s --set n=24,B=6,shift=5 --set n=4,B=4,shift=1 --set n=96,B=16,shift=40 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Modulo in subscripts: weights that repeat block by block, a shift around the end.
#include <metafork.h>
void cyclic(int n, int B, int shift, const int w[B], const int x[n], int y[n])
{
    meta_schedule cache(w) {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                y[p] = w[p % B] * x[(p + shift) % n] + w[(p + 1) % B];
            }
    }
}
