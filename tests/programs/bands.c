// SET: n=32,B=4,rounds=3
// SET: n=8,B=8,rounds=1
// RUN: %treefork verify %s --set n=32,B=4,rounds=3 --set n=8,B=8,rounds=1 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Several block bands with what is needed between them: barriers, uniform definitions, loops and conditions.
#include <metafork.h>
void bands(int n, int B, int rounds, int a[restrict n], int b[restrict n])
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++) {
            int base = i * B;
            int turn = 1;
            meta_for (int j = 0; j < B; j++)
                b[base + j] = a[base + B - 1 - j] + 1;
            for (int r = 0; r < rounds; r++) {
                meta_for (int j = 0; j < B; j++)
                    a[base + j] = b[base + (j + turn) % B] * 3 + r;
                if (r % 2 == 0 && rounds > 1) {
                    meta_for (int k = 0; k < B; k++)
                        b[base + k] -= a[base + k] + turn;
                } else
                    meta_for (int k = 0; k < B; k++) {
                        b[base + k] += a[base + B - 1 - k];
                    }
                turn += 2;
            }
            meta_for (int j = 0; j < B; ++j)
                a[base + j] += b[base + j];
        }
    }
}
