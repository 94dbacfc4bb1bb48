// SET: n=70,B=4
// SET: n=16,B=1
// SET: n=512,B=16
// RUN: %treefork verify %s --set n=70,B=4 --set n=16,B=1 --set n=512,B=16 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Granularity by a literal: four elements per thread, then two.
#include <metafork.h>
enum { PER_THREAD = 4 };
void unrolled(int n, int B, float x[n])
{
    meta_schedule cache(x) {
        meta_for (int i = 0; i < n / (PER_THREAD * B); i++)
            meta_for (int j = 0; j < B; j++) {
                for (int k = 0; k < PER_THREAD; k++)
                    x[(i * PER_THREAD + k) * B + j] *= 2.0f;
                for (int k = 0; k < 2; k++)
                    x[(i * PER_THREAD + 2 * k) * B + j] += 1.0f;
            }
    }
}
