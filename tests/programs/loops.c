// SET: n=23,B=5,m=7
// SET: n=6,B=1,m=0
// RUN: %treefork verify %s --set n=23,B=5,m=7 --set n=6,B=1,m=0 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Loops that count down, by steps, to inclusive bounds, in narrow and unsigned types, over outer variables.
#include <metafork.h>
void loops(int n, int B, int m, long *restrict out)
{
    int z;
    unsigned q;
    meta_schedule {
        meta_for (int i = 0; i <= (n - 1) / B; i++)
            meta_for (int j = B - 1; j >= 0; j--) {
                int p = i * B + j;
                if (p < n) {
                    long sum = 0;
                    for (z = m; z >= -2; z -= 3)
                        sum = sum * 3 + z;
                    for (z = 1; z != m + 1; ++z)
                        sum += z * p;
                    for (q = (unsigned)p + 3; q > 0; q--)
                        sum ^= q << 2;
                    for (unsigned r = (unsigned)m; r >= 2; r -= 2)
                        sum += r;
                    for (short h = (short)-p; h < 4; h = 2 + h)
                        sum -= h;
                    for (unsigned char b = 250; b > 240; b--)
                        sum += b;
                    for (long w = p; w > 0; w = w - 2)
                        for (int v = 0; v < w; v++)
                            sum += v ^ w;
                    for (int v = 10; v < 3; v++)
                        sum = -1;
                    for (int v = 0; 3 > v; v++)
                        for (int u = -v; u <= v; u += 1)
                            sum = sum * 5 + u;
                    out[p] = sum;
                }
            }
    }
}
