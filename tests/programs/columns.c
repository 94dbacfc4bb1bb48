// SET: n=24,m=20,B0=8,B1=4
// SET: n=13,m=9,B0=3,B1=2
// RUN: %treefork verify %s --targets coalescing --set n=24,m=20,B0=8,B1=4 --set n=13,m=9,B0=3,B1=2 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// RUN: %treefork tree --paper %s --targets coalescing | FileCheck %s --check-prefix=TREE
// TREE: W_B*C_T*C_L + C_T*C_L <= 100*W_B ?
// TREE-NEXT: leaf 1
// TREE-NEXT: no, remap: leaf 2
// RUN: mkdir -p %t && %treefork build %s --targets coalescing -o %t --kernels && FileCheck %s --check-prefix=KERNEL < %t/columns_2.kernel
// KERNEL: block int v < B1;
// KERNEL-NEXT: block int u < B0;
// RUN: FileCheck %s --check-prefix=ROWS < %t/columns_1.kernel
// ROWS: block int u < B0;
// ROWS-NEXT: block int v < B1;
// The outer axis runs along the rows of the arrays: neighbouring threads are a row apart until the axes change places.
#include <metafork.h>
void columns(int n, int m, int B0, int B1, const float a[m][n], float c[m][n])
{
    int d0 = n / B0, d1 = m / B1;
    meta_schedule {
        meta_for (int i = 0; i < d0; i++)
            meta_for (int j = 0; j < d1; j++)
                meta_for (int u = 0; u < B0; u++)
                    meta_for (int v = 0; v < B1; v++)
                        c[j * B1 + v][i * B0 + u] = 2.0f * a[j * B1 + v][i * B0 + u];
    }
}
