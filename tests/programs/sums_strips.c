// SET: m=45,n=70,B0=7
// SET: m=300,n=33,B0=32
// SET: m=1,n=1,B0=3
// SET: m=0,n=5,B0=32
// SET: m=5,n=0,B0=3
// RUN: %treefork verify %s --set m=45,n=70,B0=7 --set m=300,n=33,B0=32 --set m=1,n=1,B0=3 --set m=0,n=5,B0=32 --set m=5,n=0,B0=3 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// RUN: %treefork tree %s | FileCheck --check-prefix=LAUNCHES %s
// LAUNCHES-LABEL: {{^}}started:
// LAUNCHES: launches 2 kernels
// LAUNCHES-LABEL: {{^}}started_rows:
// LAUNCHES: launches 2 kernels
// A block owns rows: it uses the sum of a row in that row once more, and sums along columns in an array of its own.
#include <metafork.h>

// t = A x, y += A^T t: A is read once.
void atax(int m, int n, int B0, const double a[m][n], const double x[n], double t[m], double y[n])
{
    meta_schedule meta_reduce(+, t, y) {
        meta_for (int i = 0; i < m; i++) {
            meta_for (int l = 0; l < B0; l++)
                if (l == 0)
                    t[i] = 0;
            for (int j0 = 0; j0 < n; j0 += B0)
                meta_for (int l = 0; l < B0; l++) {
                    int j = j0 + l;
                    if (j < n)
                        t[i] += a[i][j] * x[j];
                }
            for (int j0 = 0; j0 < n; j0 += B0)
                meta_for (int l = 0; l < B0; l++) {
                    int j = j0 + l;
                    if (j < n)
                        y[j] += a[i][j] * t[i];
                }
        }
    }
}

// The clause names y first; t begins with what is in it, and columns go backwards.
void backwards(int m, int n, int B0, const float a[m][n], float t[m], float y[n])
{
    meta_schedule meta_reduce(+, y, t) {
        meta_for (int i = 0; i < m; i++) {
            for (int j0 = 0; j0 < n; j0 += B0)
                meta_for (int l = 0; l < B0; l++)
                    if (j0 + l < n)
                        t[i] += a[i][j0 + l];
            for (int j0 = 0; j0 < n; j0 += B0)
                meta_for (int l = 0; l < B0; l++)
                    if (j0 + l < n)
                        y[n - 1 - (j0 + l)] += a[i][j0 + l] - t[i];
        }
    }
}

// Sums along rows and along columns of one pass, each for itself.
void bicgk(int m, int n, int B0, const double a[m][n], const double p[n], const double r[m], double q[m], double s[n],
           float most[n])
{
    meta_schedule meta_reduce(+, q, s) meta_reduce(max, most) {
        meta_for (int i = 0; i < m; i++)
            for (int j0 = 0; j0 < n; j0 += B0)
                meta_for (int l = 0; l < B0; l++) {
                    int j = j0 + l;
                    if (j < n) {
                        q[i] += a[i][j] * p[j];
                        s[j] += a[i][j] * r[i];
                        if ((float)a[i][j] > most[j])
                            most[j] = (float)a[i][j];
                    }
                }
    }
}

// Integers: the columns are atomic, in copies of a block.
void whole(int m, int n, int B0, const int a[m][n], int t[m], int u[m], int y[n])
{
    meta_schedule meta_reduce(+, t, y) meta_reduce(max, u) {
        meta_for (int i = 0; i < m; i++) {
            meta_for (int l = 0; l < B0; l++)
                if (l == 0) {
                    t[i] = 1;
                    u[i] = -1;
                }
            for (int j0 = 0; j0 < n; j0 += B0)
                meta_for (int l = 0; l < B0; l++)
                    if (j0 + l < n) {
                        t[i] += a[i][j0 + l];
                        if (a[i][j0 + l] > u[i])
                            u[i] = a[i][j0 + l];
                    }
            for (int j0 = 0; j0 < n; j0 += B0)
                meta_for (int l = 0; l < B0; l++)
                    if (j0 + l < n)
                        y[j0 + l] += a[i][j0 + l] * t[i] - u[i];
        }
    }
}

// The columns begin in the block of the first row: from 0, from other values, from their own, and the first k alone.
void started(int m, int n, int B0, const double a[m][n], const double z[n], double t[m], double y[n], double u[n], double v[n])
{
    meta_schedule meta_reduce(+, t, y, u, v) {
        meta_for (int i = 0; i < m; i++) {
            for (int j0 = 0; j0 < n; j0 += B0)
                meta_for (int l = 0; l < B0; l++) {
                    int j = j0 + l;
                    if (j < n && i == 0) {
                        y[j] = 0;
                        u[j] = z[j] * j;
                    }
                }
            for (int j0 = 0; j0 < n / 2; j0 += B0)
                meta_for (int l = 0; l < B0; l++)
                    if (i == 0 && j0 + l < n / 2)
                        v[j0 + l] = 2 * v[j0 + l];
            for (int j0 = 0; j0 < n; j0 += B0)
                meta_for (int l = 0; l < B0; l++)
                    if (j0 + l < n)
                        t[i] += a[i][j0 + l];
            for (int j0 = 0; j0 < n; j0 += B0)
                meta_for (int l = 0; l < B0; l++)
                    if (j0 + l < n) {
                        y[j0 + l] += a[i][j0 + l] * t[i];
                        u[j0 + l] += a[i][j0 + l] + t[i];
                        v[j0 + l] -= a[i][j0 + l];
                    }
        }
    }
}

// Blocks own columns: a thread starts one row for itself.
void started_rows(int m, int n, int B0, const float a[m][n], const float z[n], float x[n], float w[m])
{
    meta_schedule meta_reduce(+, x, w) {
        meta_for (int b = 0; b < n; b += 8) {
            meta_for (int ti = 0; ti < B0; ti++)
                meta_for (int tj = 0; tj < 8; tj++)
                    if (ti == 0 && b + tj < n)
                        x[b + tj] = z[b + tj];
            for (int i0 = 0; i0 < m; i0 += B0)
                meta_for (int ti = 0; ti < B0; ti++)
                    meta_for (int tj = 0; tj < 8; tj++)
                        if (i0 + ti < m && b + tj < n)
                            x[b + tj] += a[i0 + ti][b + tj];
            for (int i0 = 0; i0 < m; i0 += B0 * 8)
                meta_for (int ti = 0; ti < B0; ti++)
                    meta_for (int tj = 0; tj < 8; tj++) {
                        int i = i0 + ti * 8 + tj;
                        if (i < m && b == 0)
                            w[i] = 1;
                    }
            for (int i0 = 0; i0 < m; i0 += B0 * 8)
                meta_for (int ti = 0; ti < B0; ti++)
                    meta_for (int tj = 0; tj < 8; tj++) {
                        int i = i0 + ti * 8 + tj;
                        for (int c = 0; c < 8; c++)
                            if (i < m && b + c < n)
                                w[i] += a[i][b + c] * x[b + c];
                    }
        }
    }
}
