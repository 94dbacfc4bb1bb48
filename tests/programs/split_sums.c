// SET: n=16,m=9,B=4
// SET: n=21,m=3,B=8
// RUN: %treefork verify %s --set n=16,m=9,B=4 --set n=21,m=3,B=8 --witness %witnesses --device-runs once | FileCheck %s
// RUN: rm -rf %t && mkdir %t
// RUN: sed -e 's/"threads_per_block": [0-9]*/"threads_per_block": 256/' %machines/ampere-a100.json > %t/fused.json
// RUN: sed -e 's/"registers_per_thread": [0-9]*/"registers_per_thread": 63/' %t/fused.json > %t/registers.json
// RUN: sed -e 's/"shared_words_per_block": [0-9]*/"shared_words_per_block": 4096/' %t/fused.json > %t/shared.json
// RUN: %treefork explain %s --machine %t/fused.json --set n=1024,m=1024,B=32 | FileCheck %s --check-prefix=FUSED
// RUN: %treefork explain %s --machine %t/registers.json --set n=1024,m=1024,B=32 | FileCheck %s --check-prefix=REGISTERS
// RUN: %treefork explain %s --machine %t/shared.json --set n=1024,m=1024,B=32 | FileCheck %s --check-prefix=SHARED
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Two products of a matrix with vectors, as sums of rows and of columns: one kernel reads the matrix once; split, each sum has
// two launches, and the numbers of blocks, which decide the order of a sum, stay those of the one kernel.
// FUSED: leaf {{[0-9]+}} codes (cy4)(1)(4a)(3a)
// REGISTERS: registers {{ *}}65 <= R_B = 63 does not hold: refuse, apply cse1, cse2, pressure1
// SHARED: shared {{ *}}4*B^2 + 2*B = 4160 <= Z_B = 4096 does not hold: refuse, apply cse1, cse2, drop-1
// SHARED: shared {{ *}}4*B^2 + B = 4128 <= Z_B = 4096 does not hold: refuse, apply drop-caching
#include <metafork.h>
void split_sums(int n, int m, int B, int q[n], int s[m], const int a[n][m], const int p[m], const int r[n])
{
    meta_schedule cache(a, p, r) meta_reduce(+, q, s) {
        meta_for (int bi = 0; bi < (n + B - 1) / B; bi++)
            meta_for (int bj = 0; bj < (m + B - 1) / B; bj++)
                meta_for (int ti = 0; ti < B; ti++)
                    meta_for (int tj = 0; tj < B; tj++) {
                        int i = bi * B + ti;
                        int j = bj * B + tj;
                        if (i < n && j < m) {
                            q[i] += a[i][j] * p[j];
                            s[j] += a[i][j] * r[i];
                        }
                    }
    }
}
