// SET: n=45,B=8,seed=12345
// SET: n=4,B=4,seed=4294967295
// SET: n=100,B=16,seed=7
// RUN: %treefork verify %s --set n=45,B=8,seed=12345 --set n=4,B=4,seed=4294967295 --set n=100,B=16,seed=7 --witness threads,cpu,opencl --device-runs %device_runs | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Bit tricks in unsigned types of 8, 16, 32 and 64 bits.
#include <metafork.h>
#include <stdint.h>
static inline uint32_t popcount32(uint32_t x)
{
    x = x - ((x >> 1) & 0x55555555u);
    x = (x & 0x33333333u) + ((x >> 2) & 0x33333333u);
    return (((x + (x >> 4)) & 0x0f0f0f0fu) * 0x01010101u) >> 24;
}
static inline uint8_t reverse8(uint8_t b)
{
    return (uint8_t)(((b * 0x80200802ull) & 0x0884422110ull) * 0x0101010101ull >> 32);
}
static inline uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}
#define ROTL16(x, k) ((uint16_t)(((x) << (k)) | ((x) >> (16 - (k)))))
void bits(unsigned n, unsigned B, uint32_t seed, uint8_t *restrict a, uint16_t *restrict b, uint32_t *restrict c,
          uint64_t *restrict d)
{
    meta_schedule {
        meta_for (unsigned i = 0; i < (n + B - 1u) / B; i++)
            meta_for (unsigned j = 0; j < B; j++) {
                unsigned p = i * B + j;
                if (p < n) {
                    a[p] = reverse8(a[p]);
                    b[p] = ROTL16(b[p], 5);
                    b[p] ^= (uint16_t)~a[p];
                    c[p] = popcount32(c[p] ^ seed) << (p % 27u);
                    d[p] = mix(d[p] + seed) + (d[p] & -d[p]);
                    a[p] = (uint8_t)(a[p] << 1 | a[p] >> 7);
                }
            }
    }
}
