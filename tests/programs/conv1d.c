// SET: len=61,width=8
// SET: len=5,width=16
// SET: len=200,width=32
// RUN: %treefork verify %s --set len=61,width=8 --set len=5,width=16 --set len=200,width=32 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// A convolution with a constant mask: the taps overlap, the last block is cut off by a guard.
#include <metafork.h>
enum { TAPS = 5 };
static const float taps[TAPS] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};
void conv1d(int len, int width, const float signal[len + TAPS - 1], float smooth[len])
{
    meta_schedule cache(signal) {
        meta_for (int blk = 0; blk < (len + width - 1) / width; blk++)
            meta_for (int t = 0; t < width; t++) {
                int at = blk * width + t;
                if (at < len) {
                    float acc = 0.0f;
                    for (int tap = 0; tap < TAPS; tap++)
                        acc += taps[tap] * signal[at + tap];
                    smooth[at] = acc;
                }
            }
    }
}
