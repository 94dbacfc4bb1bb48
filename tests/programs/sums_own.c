// SET: n=20,m=7,q=2,B=1
// SET: n=1,m=0,q=3,B=3
// SET: n=33,m=5,q=0,B=32
// SET: n=301,m=3,q=2,B=100
// RUN: %treefork verify %s --set n=20,m=7,q=2,B=1 --set n=1,m=0,q=3,B=3 --set n=33,m=5,q=0,B=32 --set n=301,m=3,q=2,B=100 --witness %witnesses --device-runs once | FileCheck %s
// RUN: %treefork dump kernel %s | FileCheck %s --check-prefix=KERNEL
// RUN: %treefork verify %s --targets issue=70 --set n=20,m=7,q=2,B=8 --witness threads,cpu | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Where an element depends on a loop, a thread sums over the rounds of the loops inside it in a
// variable of its own, and adds this to the element, which exists only where a round did.
#include <metafork.h>
// KERNEL: reduce + total[0] = a[p][k];
// KERNEL: let unsigned int part_sum = 0U;
// KERNEL-NOT: reduce
// KERNEL: part_sum = part_sum + {{.*}}
// KERNEL-NOT: reduce
// KERNEL: if (part_sum != 0U) {
// KERNEL-NEXT: reduce + part[k % 3] = (int)part_sum;
void own(int n, int m, int q, int B, int total[1], int most[1], int part[3],
         int eighth[8], const int a[n][m])
{
    meta_schedule meta_reduce(+, total, part, eighth) meta_reduce(max, most) {
        meta_for (int i = 0; i < (n + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                if (p < n)
                    for (int k = 0; k < m; k++) {
                        total[0] += a[p][k];
                        most[0] = a[p][k] > most[0] ? a[p][k] : most[0];
                        for (int e = 0; e < 8; e++)
                            eighth[e] += a[p][k] + e;
                        for (int r = 0; r < q; r++)
                            if (a[p][k] % 2)
                                part[k % 3] += r - a[p][k];
                    }
            }
    }
}
