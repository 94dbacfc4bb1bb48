// SET: n=64,L=3,B=8
// SET: n=12,L=2,B=4
// RUN: %treefork verify %s --set n=64,L=3,B=8 --set n=12,L=2,B=4 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Largest magnitude of each block and its place, by halving two work arrays at once.
#include <metafork.h>
#include <math.h>
void largest_blocks(int n, int L, int B, const float x[n], float most[restrict n], int where[restrict n])
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++) {
            meta_for (int j = 0; j < B; j++) {
                most[i * B + j] = fabsf(x[i * B + j]);
                where[i * B + j] = i * B + j;
            }
            for (int l = 1; l <= L; l++)
                meta_for (int j = 0; j < B; j++)
                    if (j < B >> l && most[i * B + j + (B >> l)] > most[i * B + j]) {
                        most[i * B + j] = most[i * B + j + (B >> l)];
                        where[i * B + j] = where[i * B + j + (B >> l)];
                    }
        }
    }
}
