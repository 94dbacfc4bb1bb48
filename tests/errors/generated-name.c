// RUN: not %treefork tree %s 2>&1 | FileCheck %s
#include <metafork.h>
void f(int n, int B, float tf_points, float *a)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
// CHECK: generated-name.c:[[@LINE+1]]:32: error: `tf_points` may be a name of generated code, as all that begin with tf_; rename the variable
                a[i * B + j] = tf_points;
            }
    }
}
