// SET: n=40,B=8
// SET: n=1,B=1
// SET: n=200,B=50
// RUN: %treefork verify %s --set n=40,B=8 --set n=1,B=1 --set n=200,B=50 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Loop variables and sizes of one and two bytes.
#include <metafork.h>
void narrow_loops(unsigned char n, unsigned char B, unsigned short *restrict out)
{
    meta_schedule {
        meta_for (unsigned char i = 0; i < (n + B - 1) / B; i++)
            meta_for (short j = 0; j < B; j++)
                if (i * B + j < n) {
                    unsigned short v = 0;
                    for (signed char k = -3; k <= 3; k++)
                        v = (unsigned short)(v * 7 + k * i);
                    out[i * B + j] = v;
                }
    }
}
