// What mapping makes of one function is an error in a region, here by names that generated code has: its loops keep the source's
// text, and the rest of the file is mapped. --strict, and commands that need a region, say an error.
// RUN: %treefork build --any %s -o %t 2>%t.said
// RUN: FileCheck --input-file %t.said %s
// RUN: FileCheck --check-prefix=TEXT --input-file %t/yields.tf.c %s
// RUN: not %treefork build --any --strict %s -o %t 2>&1 | FileCheck --check-prefix=STRICT %s
// RUN: not %treefork tree --any %s 2>&1 | FileCheck --check-prefix=STRICT %s
// STRICT: yields.c:{{.*}}: error: `T_B` is the name of a machine parameter
// TEXT-LABEL: {{^}}void first(
// TEXT-NEXT: {
// TEXT-NEXT: for (int i = 0; i < n; i++)
// TEXT-LABEL: {{^}}void second(
// TEXT: tf_run_second(
// TEXT-LABEL: {{^}}void third(
// TEXT-NEXT: {
// TEXT-NEXT: for (int i = 0; i < n; i++)
void first(int n, int T_B, float *restrict a, const float *restrict b)
{
    for (int i = 0; i < n; i++)
        a[i] = T_B * b[i];
// CHECK: yields.c:[[@LINE-1]]:16: warning: `T_B` is the name of a machine parameter of the case tree; rename the variable
// CHECK-NOT: warning
}
void second(int n, float *restrict a, const float *restrict b)
{
    for (int i = 0; i < n; i++)
        a[i] = 2 * b[i];
}
void third(int n, float tf_points, float *restrict a, const float *restrict b)
{
    for (int i = 0; i < n; i++)
        a[i] = tf_points * b[i];
// CHECK: yields.c:[[@LINE-1]]:16: warning: `tf_points` may be a name of generated code
// CHECK-NOT: warning
// CHECK: yields.c:{{.*}}: note: the loops around stay on the host, as they stand
}
