// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, float a[n][n])
{
    meta_schedule {
        meta_for (int i = 0; i < n; i++) {
            int m = i + 1;
// CHECK: block-extent-iterator.c:[[@LINE+1]]:13: error: the extent of a meta_for must be given by parameters: it may not depend on another loop, on an array element or on a variable computed in the region; take the greatest extent and put the body under an `if`
            meta_for (int j = 0; j < m; j++)
                a[i][j] = 0;
        }
    }
}
