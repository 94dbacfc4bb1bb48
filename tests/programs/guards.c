// SET: n=11,m=14,B0=4,B1=3,s=2
// SET: n=5,m=5,B0=8,B1=1,s=3
// RUN: %treefork verify %s --set n=11,m=14,B0=4,B1=3,s=2 --set n=5,m=5,B0=8,B1=1,s=3 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// A matrix of any size in blocks of any shape: ceilings and guards in both dimensions, rows of another length.
#include <assert.h>
#include <metafork.h>
void guards(int n, int m, int B0, int B1, int s, const float *restrict in, float out[restrict n][m])
{
    assert(n > 0 && m > 0);
    assert(B0 >= 1);
    meta_schedule cache(in) {
        meta_for (int i = 0; i < (n + B0 - 1) / B0; i++)
            meta_for (int j = 0; j < (m + s * B1 - 1) / (s * B1); j++)
                meta_for (int v = 0; v < B0; v++)
                    meta_for (int w = 0; w < B1; w++) {
                        int y = i * B0 + v;
                        for (int k = 0; k < s; k++) {
                            int x = (j * s + k) * B1 + w;
                            if (y < n)
                                if (x < m)
                                    out[y][x] = in[y * m + x] * 2 - (float)(y - x);
                        }
                    }
    }
}
