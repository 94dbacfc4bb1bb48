// A text that means something else once it is mapped: what it has below `#include <metafork.h>` sees that header's guard, so that
// the mapped text computes with other values than its source. That is an error of ours, of its own status, and nothing is written.
// RUN: rm -f %t.c && mkdir -p %t && rm -rf %t/*
// RUN: sh -c '%treefork map %s -o %t.c; test $? = 3' 2>%t.said
// RUN: FileCheck --input-file %t.said %s
// RUN: not ls %t.c
// RUN: sh -c '%treefork build --strict %s -o %t; test $? = 3' 2>%t.said
// RUN: FileCheck --input-file %t.said %s
// RUN: not ls %t/broken.tf.c
// RUN: %treefork build %s -o %t 2>&1 | FileCheck --check-prefix=STAYS %s
// STAYS: broken.c:{{.*}}: warning: internal error: {{.*}}; please report this
// STAYS: broken.c:{{.*}}: note: the loops around stay on the host, as they stand
// RUN: %cc -fsyntax-only -I%root/runtime %t/broken.tf.c
// RUN: sh -c '%treefork tree %s; test $? = 3' 2>&1 | FileCheck %s
// RUN: sh -c '%treefork verify %s --set n=8; test $? = 3' 2>&1 | FileCheck %s
// RUN: %treefork -d replay %s | FileCheck --check-prefix=DUMP %s
// RUN: %treefork -d mapped %s | FileCheck --check-prefix=TEXT %s
#ifdef METAFORK_H
#define WEIGHT 3
#else
#define WEIGHT 2
#endif
void scale(int n, float *restrict a, const float *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = WEIGHT * b[i];
#pragma endscop
}
// CHECK: broken.c:[[@LINE-3]]:{{[0-9]+}}: error: internal error: the mapped text of `scale` computes something else than the source:
// CHECK-SAME: `a[{{[0-9]+}}]`, with n = {{[0-9]+}}; nothing is written; please report this
// DUMP: scale: DIFFERENT: `a[{{[0-9]+}}]`, with n = {{[0-9]+}}
// TEXT: meta_schedule
