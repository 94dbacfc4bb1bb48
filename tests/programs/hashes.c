// SET: n=30,B=4,rounds=5
// SET: n=1,B=1,rounds=0
// SET: n=128,B=32,rounds=3
// RUN: %treefork verify %s --set n=30,B=4,rounds=5 --set n=1,B=1,rounds=0 --set n=128,B=32,rounds=3 --witness threads,cpu,opencl --device-runs %device_runs | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Hashes in 64-bit unsigned arithmetic with constants, rotations and a loop over bytes.
#include <metafork.h>
typedef unsigned long long u64;
enum { BYTES = sizeof(u64) };
static inline u64 rotate(u64 x, int k)
{
    return x << k | x >> (64 - k);
}
void hashes(int n, int B, int rounds, const u64 *restrict keys, u64 *restrict out)
{
    meta_schedule {
        meta_for (int i = 0; i < (n + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                if (p < n) {
                    u64 h = 14695981039346656037ull;
                    for (int b = 0; b < BYTES; b++)
                        h = (h ^ (keys[p] >> (8 * b) & 0xff)) * 1099511628211ull;
                    for (int r = 0; r < rounds; r++) {
                        h = rotate(h, 13) + (u64)r;
                        h ^= h % 1000003u;
                    }
                    out[p] = h;
                }
            }
    }
}
