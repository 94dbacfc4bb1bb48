// RUN: %treefork -d metafork %s | FileCheck %s
// RUN: %treefork -d access %s | FileCheck --check-prefix ACCESS %s
// RUN: rm -rf %t && %treefork build %s -o %t && FileCheck --check-prefix AUTO %s <%t/continue.tf.h
// `continue` is the guard of what follows, for legality, extents and the automatic choice too.
#include <metafork.h>
void f(int n, int m, int B0, int B1, const float a[restrict n][m], float b[restrict n][m])
{
    meta_schedule {
        meta_for (int g = 0; g < (n + B0 - 1) / B0; g++)
            meta_for (int h = 0; h < (m + B1 - 1) / B1; h++)
                meta_for (int t = 0; t < B0; t++)
                    meta_for (int u = 0; u < B1; u++) {
                        int i = g * B0 + t, j = h * B1 + u;
                        // CHECK: if (i < n && j < m) {
                        // CHECK-NEXT: b[i][j] =
                        if (i >= n || j >= m)
                            continue;
                        b[i][j] = 2 * a[i][j];
                    }
    }
    // CHECK-LABEL: f_2
    // CHECK: if (g * B0 < n) {
    // CHECK-NEXT: meta_for
    // CHECK: if (i < n) {
    // CHECK: if (b[i][k] == 0.0f) {
    // CHECK: } else {
    // CHECK-NEXT: if (!(b[i][k] < 0.0f)) {
    meta_schedule {
        meta_for (int g = 0; g < (n + B0 - 1) / B0; g++) {
            if (g * B0 >= n)
                continue;
            meta_for (int t = 0; t < B0; t++) {
                int i = g * B0 + t;
                if (!(i < n))
                    continue;
                for (int k = 0; k < m; k++) {
                    if (b[i][k] == 0) {
                        b[i][k] = 1;
                        continue;
                    }
                    if (b[i][k] < 0)
                        continue;
                    b[i][k] += a[i][k];
                }
            }
        }
    }
    // ACCESS: extent of b: {{.*}}, overwritten{{$}}
    // ACCESS: extent of d: {{.*}}, overwritten{{$}}
    float d[n];
    meta_schedule {
        meta_for (int g = 0; g < (n + B0 - 1) / B0; g++) {
            if (g * B0 >= n)
                continue;
            meta_for (int t = 0; t < B0; t++) {
                int i = g * B0 + t;
                if (i >= n)
                    continue;
                d[i] = b[i][0];
                b[i][0] = d[i] + 1;
            }
        }
    }
}
// AUTO: int f_auto(int n, int m, const float *a, float *b);
