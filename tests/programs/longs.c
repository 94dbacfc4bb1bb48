// SET: n=41,B=8,stride=3
// SET: n=1,B=1,stride=1
// SET: n=100,B=16,stride=2
// RUN: %treefork verify %s --set n=41,B=8,stride=3 --set n=1,B=1,stride=1 --set n=100,B=16,stride=2 --witness threads,cpu,opencl --device-runs %device_runs | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Loop variables and sizes of 64 bits, signed and unsigned.
#include <metafork.h>
#include <stddef.h>
void longs(size_t n, size_t B, long stride, const long long in[n + 4 * (size_t)stride], unsigned long *restrict out)
{
    meta_schedule {
        meta_for (size_t i = 0; i < (n + B - 1) / B; i++)
            meta_for (long j = 0; j < (long)B; j++) {
                size_t p = i * B + (size_t)j;
                if (p < n) {
                    unsigned long sum = 0;
                    for (long k = 2; k >= 0; k--)
                        sum = sum * 31 + (unsigned long)in[(long)p + k * stride];
                    out[p] = sum;
                }
            }
    }
}
