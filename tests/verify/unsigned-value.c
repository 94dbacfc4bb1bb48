// RUN: %treefork verify %s --witness cpu --set n=8,B=2,key=18446744073709551615 | FileCheck %s
// RUN: %treefork verify %s --witness threads --set n=8,B=2,key=9223372036854775808 | FileCheck %s
// RUN: not %treefork verify %s --witness threads --set n=9223372036854775808,B=2,key=1 2>&1 | FileCheck --check-prefix=SIZE %s
// A uint64_t that is used as a value takes all values of its type; a size does not.
#include <stdint.h>
#include <metafork.h>
void mix(uint64_t n, int B, uint64_t key, uint64_t a[n])
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++)
                a[i * B + j] ^= key / 3 + (key > 9223372036854775807u);
    }
}
// CHECK: equals serial
// CHECK: {{[1-9][0-9]*}} verified, 0 failed
// SIZE: error: --set n: 9223372036854775808 is too large; only a uint64_t that is used as a value takes it
