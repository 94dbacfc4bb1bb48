// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float a[n][n])
{
    meta_schedule {
// CHECK: odd-band.c:[[@LINE+1]]:9: error: a band of meta_for that cannot be halved, of which no extent divides one above it: where does the block begin? Separate grid and block by a statement (a definition or `;`)
        meta_for (int i = 0; i < n; i++)
            meta_for (int k = 0; k < 4; k++)
                meta_for (int j = 0; j < B; j++)
                    a[i][k * B + j] = 0;
    }
}
