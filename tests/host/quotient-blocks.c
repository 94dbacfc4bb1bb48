// RUN: %treefork build %s -o %t 2>&1 | FileCheck --implicit-check-not=note: %s
// Blocks that are counted from a quotient keep their size, and the quotient is named; with a name of its own nothing is in the way.
#include <metafork.h>

void halved(int n, const float *restrict x, float *restrict y)
{
    const int B = meta_tunable(256);
    // CHECK: quotient-blocks.c:[[@LINE+1]]:{{[0-9]+}}: note: B stays 256 in region halved: the number of blocks divides the quotient n / 2, and guards are not compared with one
    meta_schedule {
        meta_for (int b = 0; b < (n / 2 + B - 1) / B; b++)
            meta_for (int t = 0; t < B; t++)
                if (b * B + t < n / 2)
                    y[b * B + t] = x[2 * (b * B + t)] + x[2 * (b * B + t) + 1];
    }
}

void named(int n, const float *restrict x, float *restrict y)
{
    const int B = meta_tunable(256), half = n / 2;
    meta_schedule {
        meta_for (int b = 0; b < (half + B - 1) / B; b++)
            meta_for (int t = 0; t < B; t++)
                if (b * B + t < half)
                    y[b * B + t] = x[2 * (b * B + t)] + x[2 * (b * B + t) + 1];
    }
}
