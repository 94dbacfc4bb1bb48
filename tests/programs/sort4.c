// SET: n=23,B=4
// SET: n=1,B=2
// SET: n=100,B=16
// RUN: %treefork verify %s --set n=23,B=4 --set n=1,B=2 --set n=100,B=16 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// A sorting network of four elements in a local array; compare and exchange as a macro.
#include <metafork.h>
#define ORDER(a, b) { int low = q[a] < q[b] ? q[a] : q[b]; q[b] = q[a] < q[b] ? q[b] : q[a]; q[a] = low; }
void sort4(int n, int B, int (*quads)[4])
{
    meta_schedule {
        meta_for (int i = 0; i < (n + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                int q[4];
                if (p < n) {
                    for (int k = 0; k < 4; k++)
                        q[k] = quads[p][k];
                    ORDER(0, 1)
                    ORDER(2, 3)
                    ORDER(0, 2)
                    ORDER(1, 3)
                    ORDER(1, 2)
                    for (int k = 0; k < 4; k++)
                        quads[p][k] = q[k];
                }
            }
    }
}
