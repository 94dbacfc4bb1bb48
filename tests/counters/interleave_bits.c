// SET: h=10,w=13,B0=2,B1=4
// SET: h=4,w=5,B0=3,B1=2
// RUN: %treefork verify %s --set h=10,w=13,B0=2,B1=4 --set h=4,w=5,B0=3,B1=2 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Bits of two coordinates shuffled into one 64-bit key.
#include <metafork.h>
void interleave_bits(int h, int w, int B0, int B1, unsigned long key[h][w])
{
    meta_schedule {
        meta_for (int i = 0; i < (h + B0 - 1) / B0; i++)
            meta_for (int j = 0; j < (w + B1 - 1) / B1; j++)
                meta_for (int u = 0; u < B0; u++)
                    meta_for (int v = 0; v < B1; v++) {
                        int y = i * B0 + u, x = j * B1 + v;
                        if (y < h && x < w) {
                            unsigned long k = 0ul;
                            for (int b = 0; b < 16; b++)
                                k |= (unsigned long)((unsigned)x >> b & 1u) << 2 * b |
                                     (unsigned long)((unsigned)y >> b & 1u) << (2 * b + 1);
                            key[y][x] = k;
                        }
                    }
    }
}
