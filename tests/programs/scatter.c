// SET: n=24,B=4
// RUN: %treefork verify %s --set n=24,B=4 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// A permutation that only the programmer knows to be one: believed, with a warning.
#include <metafork.h>
void scatter(int n, int B, const unsigned char *order, int a[n + 100])
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++)
                a[i * B + j + 100 * (order[i * B + j] % 2)] = order[i * B + j] * 2;
    }
}
