// SET: B=8
// SET: B=1
// SET: B=64
// RUN: %treefork verify %s --set B=8 --set B=1 --set B=64 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Arrays of the file with constant sizes, no array argument.
#include <metafork.h>
#define SIZE 128
float field[SIZE], scaled[SIZE];
const int order[4] = {3, 1, 0, 2};
void constant_sizes(int B)
{
    meta_schedule cache(field) {
        meta_for (int i = 0; i < SIZE / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                scaled[p] = field[p] * (float)order[p % 4] + (float)p;
            }
    }
}
