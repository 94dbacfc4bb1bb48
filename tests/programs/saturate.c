// SET: n=41,B=8
// SET: n=2,B=4
// SET: n=256,B=32
// RUN: %treefork verify %s --set n=41,B=8 --set n=2,B=4 --set n=256,B=32 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Saturating sums of bytes, fixed-point products of 16 bits.
#include <metafork.h>
#include <stdint.h>
static inline uint8_t add_u8(uint8_t a, uint8_t b)
{
    unsigned sum = (unsigned)a + b;
    return (uint8_t)(sum > UINT8_MAX ? UINT8_MAX : sum);
}
static inline int8_t add_s8(int8_t a, int8_t b)
{
    int sum = a + b;
    if (sum > INT8_MAX)
        sum = INT8_MAX;
    if (sum < INT8_MIN)
        sum = INT8_MIN;
    return (int8_t)sum;
}
static inline int16_t q15(int16_t a, int16_t b)
{
    int32_t product = ((int32_t)a * b + (1 << 14)) >> 15;
    return (int16_t)product;
}
void saturate(int n, int B, uint8_t *restrict u, int8_t *restrict s, const int16_t *restrict f, int16_t *restrict g)
{
    meta_schedule {
        meta_for (int i = 0; i < (n + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                if (p < n) {
                    u[p] = add_u8(u[p], (uint8_t)(u[p] + 17));
                    s[p] = add_s8(s[p], (int8_t)(3 * s[p]));
                    g[p] = q15((int16_t)(f[p] * 150), (int16_t)(g[p] * 200));
                }
            }
    }
}
