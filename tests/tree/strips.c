// RUN: %treefork tree %s | FileCheck %s
// RUN: %treefork -d lines --leaf 1 %s --set m=40,n=30,B0=16 | FileCheck --check-prefix=ONCE %s
// A block that owns rows has a row of A, and its own y, in shared memory if there is room for two rows; else it reads A twice.
// CHECK: shared memory per block: 2*n + B0 + 1 <= Z_B (4-byte words) ?
// CHECK: shared memory per block: B0 + 1 <= Z_B (4-byte words) ?
// ONCE: load A: 80 warps
// ONCE-NOT: load A:
// ONCE: load A_row: 80 warps
// ONCE: words of A: 1200 read, 0 written
#include <metafork.h>

void atax(int m, int n, int B0, const float A[m][n], const float x[n], float t[m], float y[n])
{
    meta_schedule meta_reduce(+, t, y) {
        meta_for (int i = 0; i < m; i++) {
            meta_for (int l = 0; l < B0; l++)
                if (l == 0)
                    t[i] = 0;
            for (int j = 0; j < n; j += B0)
                meta_for (int l = 0; l < B0; l++)
                    if (j + l < n)
                        t[i] += A[i][j + l] * x[j + l];
            for (int j = 0; j < n; j += B0)
                meta_for (int l = 0; l < B0; l++)
                    if (j + l < n)
                        y[j + l] += A[i][j + l] * t[i];
        }
    }
}
