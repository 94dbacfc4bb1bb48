// SET: n=22,B=4,s=2
// SET: n=3,B=2,s=1
// SET: n=100,B=8,s=4
// RUN: %treefork verify %s --set n=22,B=4,s=2 --set n=3,B=2,s=1 --set n=100,B=8,s=4 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Rows of constant length behind a pointer, sizes by sizeof.
#include <metafork.h>
#define M 12
void wide_rows(int n, int B, int s, float (*a)[M], const float (*restrict b)[M])
{
    const int count = (int)(sizeof a[0] / sizeof(float));
    meta_schedule cache(b) {
        meta_for (int i = 0; i < n / (B * s); i++)
            meta_for (int j = 0; j < B; j++)
                for (int k = 0; k < s; k++) {
                    int row = (i * s + k) * B + j;
                    for (int c = 0; c < count; c++)
                        a[row][c] = a[row][c] + b[row][M - 1 - c] * (float)sizeof(b[0][0]);
                }
    }
}
