// A parameter that the function points to a local array: host code that names the array touches what regions work on.
// RUN: %treefork build %s -o %t && FileCheck --input-file %t/touch-parameter.tf.c %s
// CHECK: tf_run_increase
// CHECK: treefork_before_write("increase");
// CHECK-NEXT: own[3] = 100;
#include <metafork.h>
void increase(int n, float *p, float *out)
{
    float own[64];
    for (int i = 0; i < 64; i++)
        own[i] = i;
    p = own;
    meta_schedule {
        meta_for (int i = 0; i < 8; i++)
            meta_for (int k = 0; k < 8; k++)
                p[i * 8 + k] += 1;
    }
    own[3] = 100;
    for (int i = 0; i < n; i++)
        out[i] = own[i];
}
