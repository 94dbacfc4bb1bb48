// Bands of one block in the rounds of a loop: barriers stand between them, the block may have any number of threads, and what the
// last element of z keeps is not lost (durbin writes z[0 .. n - 2] alone).
// RUN: %treefork build %s -o %t.d 2>&1 | count 0
// PoCL 3.1 (LLVM 14) computes wrong values for durbin's leaves of four points on some processors where the loops over points that
// hold a loop of their own are unrolled, which OpenCL C leaves out (emit/device_stmt.c).
// RUN: %treefork verify %s --witness threads,opencl --set n=7,m=5,B0=4 --set n=1,m=2,B0=3 --set n=6,m=4,B0=4 --set n=5,m=9,B0=64 | FileCheck %s
// RUN: %treefork -d kernel %s | FileCheck --check-prefix=KERNEL %s
// CHECK-NOT: FAILED
// CHECK: verified, 0 failed, 0 skipped
// KERNEL: kernel trisolv
// KERNEL: for (int j = 0; j < n; j += 1)
// KERNEL-COUNT-2: barrier
#include <metafork.h>

void trisolv(int n, const double L[restrict n][n], double x[restrict n])
{
    const int B0 = meta_tunable(256);
    if (n > 0) meta_schedule {
        meta_for (int g = 0; g < 1; g++)
            for (int j = 0; j < n; j++) {
                meta_for (int t = 0; t < B0; t++)
                    if (t == 0)
                        x[j] = x[j] / L[j][j];
                meta_for (int t = 0; t < B0; t++)
                    for (int i = j + 1 + t; i < n; i += B0)
                        x[i] -= L[i][j] * x[j];
            }
    }
}

void durbin(int n, const double r[restrict n], double y[restrict n], double z[restrict n], double ab[restrict 2])
{
    const int B0 = meta_tunable(256);
    if (n > 1) meta_schedule {
        meta_for (int b = 0; b < 1; b++)
            for (int k = 1; k < n; k++) {
                meta_for (int t = 0; t < B0; t++)
                    if (t == 0) {
                        double sum = 0;
                        ab[0] = (1 - ab[1] * ab[1]) * ab[0];
                        for (int i = 0; i < k; i++)
                            sum += r[k - i - 1] * y[i];
                        ab[1] = -(r[k] + sum) / ab[0];
                    }
                meta_for (int t = 0; t < B0; t++)
                    for (int i = t; i < k; i += B0)
                        z[i] = y[i] + ab[1] * y[k - i - 1];
                meta_for (int t = 0; t < B0; t++)
                    for (int i = t; i < k; i += B0)
                        y[i] = z[i];
                meta_for (int t = 0; t < B0; t++)
                    if (t == 0)
                        y[k] = ab[1];
            }
    }
}

/* What a thread touches in each round of its own is no array of its own: its length would differ between threads. */
void again(int n, int m, const double a[restrict n][m], double row[restrict m])
{
    const int B0 = meta_tunable(256);
    if (n > 0 && m > 0) meta_schedule {
        meta_for (int b = 0; b < 1; b++)
            for (int i = 0; i < n; i++) {
                meta_for (int t = 0; t < B0; t++)
                    for (int j = t; j < m; j += B0)
                        row[j] = row[j] * 0.5 + a[i][j];
            }
    }
}
