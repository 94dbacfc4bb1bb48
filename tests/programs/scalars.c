// SET: n=20,B=4,a=-3,b=200,c=-30000,d=60000,e=-2000000000,f=4000000000,g=-9000000000,h=9000000000,u=1.5,v=-2.25
// SET: n=3,B=8,a=1,b=2,c=3,d=4,e=5,f=6,g=7,h=8,u=0,v=0
// SET: n=64,B=16,a=127,b=255,c=32767,d=65535,e=2147483647,f=4294967295,g=-1,h=1,u=-0.5,v=1e10
// RUN: %treefork verify %s --set n=20,B=4,a=-3,b=200,c=-30000,d=60000,e=-2000000000,f=4000000000,g=-9000000000,h=9000000000,u=1.5,v=-2.25 --set n=3,B=8,a=1,b=2,c=3,d=4,e=5,f=6,g=7,h=8,u=0,v=0 --set n=64,B=16,a=127,b=255,c=32767,d=65535,e=2147483647,f=4294967295,g=-1,h=1,u=-0.5,v=1e10 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// A scalar of every type as a value.
#include <metafork.h>
void scalars(short n, unsigned char B, signed char a, unsigned char b, short c, unsigned short d, int e, unsigned f, long g,
             unsigned long long h, float u, double v, long long *restrict whole, double *restrict real)
{
    meta_schedule {
        meta_for (int i = 0; i < (n + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                if (p < n) {
                    whole[p] = whole[p] % 1000 + a * b + c - d + (e ^ p) + (f >> 3) + g / 3 + (long long)(h >> 1);
                    real[p] = real[p] * u + v / 7 + (a < b) + (p & 1 ? u : v);
                }
            }
    }
}
