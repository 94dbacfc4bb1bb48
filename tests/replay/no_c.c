// A text that is no C once it is mapped, by the same way as broken.c: an error of ours at the place of the user's file.
// RUN: rm -f %t.c && mkdir -p %t && rm -rf %t/*
// RUN: sh -c '%treefork map %s -o %t.c; test $? = 3' 2>%t.said
// RUN: FileCheck --input-file %t.said %s
// RUN: not ls %t.c
// RUN: sh -c '%treefork build --strict %s -o %t; test $? = 3' 2>%t.said
// RUN: FileCheck --input-file %t.said %s
// RUN: not ls %t/no_c.tf.c
// RUN: %treefork build %s -o %t 2>&1 | FileCheck --check-prefix=STAYS %s
// STAYS: no_c.c:{{.*}}: warning: internal error: {{.*}}; please report this
// STAYS: no_c.c:{{.*}}: note: the loops around stay on the host, as they stand
// RUN: %cc -fsyntax-only -I%root/runtime %t/no_c.tf.c
#ifdef METAFORK_H
#define WEIGHT (3
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
// CHECK: no_c.c:{{[0-9]+}}:{{[0-9]+}}: error: internal error: what mapping made of this is no C (expected ')'); nothing is written; please report this
