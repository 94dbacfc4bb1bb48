// SET: n=16,B=4
// SET: n=24,B=8
// RUN: %treefork verify %s --set n=16,B=4 --set n=24,B=8 --witness %witnesses --device-runs once | FileCheck %s
// RUN: rm -rf %t && mkdir %t
// RUN: sed -e 's/"threads_per_block": [0-9]*/"threads_per_block": 256/' %machines/ampere-a100.json > %t/fused.json
// RUN: sed -e 's/"registers_per_thread": [0-9]*/"registers_per_thread": 63/' %t/fused.json > %t/registers.json
// RUN: sed -e 's/"shared_words_per_block": [0-9]*/"shared_words_per_block": 4096/' %t/fused.json > %t/shared.json
// RUN: %treefork explain %s --machine %t/fused.json --set n=1024,B=32 | FileCheck %s --check-prefix=FUSED
// RUN: %treefork explain %s --machine %t/registers.json --set n=1024,B=32 | FileCheck %s --check-prefix=REGISTERS
// RUN: %treefork explain %s --machine %t/shared.json --set n=1024,B=32 | FileCheck %s --check-prefix=SHARED
// RUN: %treefork rank %s --machine %t/shared.json --set n=1024,B=32 | FileCheck %s --check-prefix=RANK
// RUN: %treefork dump leaves %s | FileCheck %s --check-prefix=LEAVES
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Two products of matrices that share a factor: one kernel, or two where a device has too few registers or too little shared
// memory for the tiles of both.
// FUSED: registers {{ *}}75 <= R_B = 255 holds: accept
// FUSED: shared {{ *}}4*B^2 + 8*B = 4352 <= Z_B = {{[0-9]+}} holds: accept
// FUSED: leaf {{[0-9]+}} codes (cy4)(1)(4a)(3a)
// REGISTERS: registers {{ *}}75 <= R_B = 63 does not hold: refuse, apply cse1, cse2, split1
// REGISTERS: registers {{ *}}60 <= R_B = 63 holds: accept
// REGISTERS: leaf {{[0-9]+}} codes (cy4)(2)(2)(sp)(1)(4a)(3a)
// SHARED: shared {{ *}}4*B^2 + 8*B = 4352 <= Z_B = 4096 does not hold: refuse, apply cse1, cse2, split1
// SHARED: shared {{ *}}2*B^2 + 4*B = 2176 <= Z_B = 4096 holds: accept
// SHARED: leaf {{[0-9]+}} codes (cy4)(1)(2)(2)(sp)(4a)(3a)
// RANK: blocks of {{[0-9]+}} threads, 8704 bytes shared, {{[1-9][0-9]*}} resident; {{[0-9]+}} blocks of {{[0-9]+}} threads, 8704 bytes shared
// LEAVES: launch 1
// LEAVES: c[{{.*}} =
// LEAVES: launch 2
// LEAVES: d[{{.*}} =
#include <metafork.h>
void split_products(int n, int B, float c[n][n], float d[n][n], const float a[n][n], const float x[n][n], const float y[n][n])
{
    meta_schedule cache(a, x, y) {
        meta_for (int bi = 0; bi < n / B; bi++)
            meta_for (int bj = 0; bj < n / B; bj++)
                for (int k = 0; k < n / B; k++) {
                    meta_for (int ti = 0; ti < B; ti++)
                        meta_for (int tj = 0; tj < B; tj++) {
                            int i = bi * B + ti;
                            int j = bj * B + tj;
                            for (int l = 0; l < B; l++)
                                c[i][j] += a[i][k * B + l] * x[k * B + l][j];
                            for (int l = 0; l < B; l++)
                                d[i][j] += a[i][k * B + l] * y[k * B + l][j];
                        }
                }
    }
}
