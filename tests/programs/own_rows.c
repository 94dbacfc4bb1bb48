// SET: n=48,B=4,s=4
// SET: n=35,B=3,s=3
// SET: n=64,B=2,s=8
// RUN: %treefork verify %s --targets coalescing --set n=48,B=4,s=4 --set n=35,B=3,s=3 --set n=64,B=2,s=8 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// RUN: mkdir -p %t && %treefork build %s --targets coalescing -o %t && FileCheck %s --check-prefix=CL < %t/own_rows.cl
// CL: if (s % 4 == 0)
// CL: *(__global float4 *)&c[{{.*}}] = *(const float4 *)&vector_c[0];
// Each thread computes s neighbouring elements: 16 bytes at a time where 4 divides s.
#include <metafork.h>
void own_rows(int n, int B, int s, const float a[n], float c[n])
{
    int dim = n / (s * B);
    meta_schedule {
        meta_for (int i = 0; i < dim; i++)
            meta_for (int j = 0; j < B; j++)
                for (int k = 0; k < s; k++)
                    c[(i * B + j) * s + k] = c[(i * B + j) * s + k] * 0.5f + a[(i * B + j) * s + k];
    }
}
