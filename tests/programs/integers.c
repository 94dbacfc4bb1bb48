// SET: n=37,s=3,B=4
// SET: n=1,s=1,B=1
// RUN: %treefork verify %s --set n=37,s=3,B=4 --set n=1,s=1,B=1 --witness threads,cpu,opencl --device-runs %device_runs | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Conversions and operators of all integer types, wrap-around of the unsigned ones included.
#include <metafork.h>
#include <stdint.h>
enum { SHIFT = 3, MASK = 0x0f };
typedef unsigned short word;
void integers(int n, int s, int B, const int8_t *a, const uint32_t *b, int64_t *c, word *d, uint64_t *e)
{
    int dim = (n + s * B - 1) / (s * B);
    meta_schedule {
        meta_for (int i = 0; i < dim; i++)
            meta_for (int j = 0; j < B; j++)
                for (int k = 0; k < s; k++) {
                    int p = (i * s + k) * B + j;
                    if (p >= n || 0)
                        ;
                    else {
                        signed char narrow = a[p] * 7;
                        uint32_t u = b[p] - 5u * (uint32_t)narrow;
                        c[p] = (int64_t)u * narrow - (a[p] < b[p]) + sizeof(int64_t) + sizeof narrow;
                        d[p] = (word)(narrow ^ (MASK << SHIFT));
                        d[p] += 70000;
                        d[p] <<= 2;
                        d[p] |= 'x' & ~1;
                        e[p] = -1;
                        e[p] /= 3u + (unsigned char)narrow;
                        e[p] %= 1000000007;
                        e[p] ^= u >> (p & 31);
                        c[p] >>= 2;
                        c[p]--;
                        ++d[p];
                        c[p] *= -a[p] / 3 + a[p] % 4 + !a[p] + +a[p];
                    }
                }
    }
}
