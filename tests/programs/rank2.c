// SET: n=29,B0=4,B1=5
// SET: n=9,B0=8,B1=2
// SET: n=32,B0=16,B1=4
// RUN: %treefork verify %s --set n=29,B0=4,B1=5 --set n=9,B0=8,B1=2 --set n=32,B0=16,B1=4 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// A += u1 v1^T + u2 v2^T in unsigned sizes; guards on rows and columns apart.
#include <metafork.h>
void rank2(unsigned n, unsigned B0, unsigned B1, float A[n][n], const float u1[n], const float v1[n], const float u2[n],
           const float v2[n])
{
    unsigned d0 = (n + B0 - 1) / B0, d1 = (n + B1 - 1) / B1;
    meta_schedule cache(u1, v1) {
        meta_for (unsigned i = 0; i < d0; i++)
            meta_for (unsigned j = 0; j < d1; j++)
                meta_for (unsigned v = 0; v < B0; v++)
                    meta_for (unsigned w = 0; w < B1; w++) {
                        unsigned r = i * B0 + v;
                        if (r < n) {
                            unsigned c = j * B1 + w;
                            if (c < n)
                                A[r][c] += u1[r] * v1[c] + u2[r] * v2[c];
                        }
                    }
    }
}
