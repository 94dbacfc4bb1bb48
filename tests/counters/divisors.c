// SET: n=40,B=8
// SET: n=13,B=4
// RUN: %treefork verify %s --set n=40,B=8 --set n=13,B=4 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Greatest common divisors by a bounded number of division steps.
#include <metafork.h>
void divisors(int n, int B, const int a[n], const int b[n], int g[n])
{
    meta_schedule {
        meta_for (int i = 0; i < (n + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                if (p < n) {
                    int x = a[p] & 0xffff, y = b[p] & 0xffff;
                    for (int k = 0; k < 26; k++)
                        if (y != 0) {
                            int r = x % y;
                            x = y;
                            y = r;
                        }
                    g[p] = x;
                }
            }
    }
}
