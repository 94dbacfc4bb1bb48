// SET: n=61,s=2,width=4,q=2.5
// SET: n=17,s=1,width=16,q=-1
// SET: n=130,s=8,width=3,q=0.25
// RUN: %treefork verify %s --set n=61,s=2,width=4,q=2.5 --set n=17,s=1,width=16,q=-1 --set n=130,s=8,width=3,q=0.25 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// STREAM triad with 64-bit sizes, truncating blocks, doubles staged.
#include <metafork.h>
typedef double real;
typedef long size;
void triad(size n, size s, size width, real q, real a[n], const real b[n], const real c[n])
{
    size blocks = n / (width * s);
    meta_schedule cache(b) {
        meta_for (size i = 0; i < blocks; ++i)
            meta_for (size j = 0; j < width; ++j)
                for (size k = 0; k < s; ++k) {
                    size p = (i * s + k) * width + j;
                    a[p] = b[p] + q * c[p];
                }
    }
}
