// RUN: %treefork tree --paper %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, const unsigned char *index, const float table[256], float *b)
{
    // CHECK: cache-in-vain.c:[[@LINE+1]]:32: warning: `table` is not staged: the subscript index[p] is not affine in the loop variables
    meta_schedule cache(index, table) {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                b[p] = table[index[p]];
            }
    }
}
// CHECK-NOT: warning
// What is about speed alone is not said again by each `verify`.
// RUN: %treefork verify %s --witness cpu --set n=8,B=2 --extent b=8,index=8 2>&1 | FileCheck --check-prefix=VERIFY %s
// VERIFY-NOT: warning
// VERIFY: {{[1-9][0-9]*}} verified, 0 failed
