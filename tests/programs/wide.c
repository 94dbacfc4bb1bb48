// SET: n=20,B=4
// RUN: %treefork verify %s --set n=20,B=4 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Loop variables compared in another type than their own, and unsigned subscripts.
#include <metafork.h>
#include <stddef.h>
void wide(unsigned n, unsigned B, size_t *restrict out)
{
    meta_schedule {
        meta_for (unsigned i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                size_t p = (size_t)i * B + j;
                size_t sum = 0;
                for (int k = -1; k < n; k++)
                    sum += k;
                for (int k = 0; k < (long)n; k++)
                    sum += k * p;
                for (unsigned char k = 1; k < 20L; k += 3)
                    sum = sum * 3 + k;
                out[p] = sum;
            }
    }
}
