// SET: n=45,m=70,B0=3,B1=7,G=4
// SET: n=7,m=1,B0=2,B1=3,G=1
// SET: n=0,m=5,B0=1,B1=32,G=2
// SET: n=5,m=0,B0=2,B1=3,G=3
// SET: n=33,m=300,B0=1,B1=100,G=2
// SET: n=1,m=260,B0=1,B1=256,G=2
// RUN: %treefork verify %s --set n=45,m=70,B0=3,B1=7,G=4 --set n=7,m=1,B0=2,B1=3,G=1 --set n=0,m=5,B0=1,B1=32,G=2 --set n=5,m=0,B0=2,B1=3,G=3 --set n=33,m=300,B0=1,B1=100,G=2 --set n=1,m=260,B0=1,B1=256,G=2 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Sums that begin in their region, and what the source does with them behind their last accumulation:
// at the first and last point of the axes that their subscripts lack.
#include <metafork.h>

// By parts and a second kernel: rows, columns and two sums of one row.
void parts(int n, int m, int B0, int B1, int alpha, int beta, int q[n], int y[n], int s[m], int t[n],
           int u[n], unsigned most[n], const int z[n], const int p[m], const int a[n][m])
{
    meta_schedule meta_reduce(+, q, s, t) meta_reduce(max, most) {
        meta_for (int bi = 0; bi < (n + B0 - 1) / B0; bi++)
            meta_for (int bj = 0; bj < (m + B1 - 1) / B1; bj++)
                meta_for (int ti = 0; ti < B0; ti++)
                    meta_for (int tj = 0; tj < B1; tj++) {
                        int i = bi * B0 + ti, j = bj * B1 + tj;
                        if (i < n && j < m) {
                            if (j == 0) {
                                q[i] = 0;
                                t[i] = beta * t[i];
                                most[i] = p[0];
                            }
                            if (i == 0)
                                s[j] = 7;
                            q[i] += a[i][j] * p[j];
                            t[i] -= a[i][j];
                            s[j] += z[i] * a[i][j];
                            if ((unsigned)a[i][j] > most[i])
                                most[i] = (unsigned)a[i][j];
                            if (j == m - 1) {
                                y[i] = alpha * q[i] + beta * z[i];
                                t[i] = t[i] + 3 * q[i];
                                u[i] = t[i] - y[i];
                            }
                        }
                    }
    }
}

// In the block: the axis of the grid is in the subscripts, rounds are loops.
void block(int n, int m, int B1, double mean[n], double spread[n], float least[n],
           const double a[n][m], const float b[n][m])
{
    meta_schedule meta_reduce(+, mean, spread) meta_reduce(min, least) {
        meta_for (int i = 0; i < n; i++) {
            meta_for (int j = 0; j < B1; j++)
                if (j == 0) {
                    mean[i] = 0;
                    spread[i] = 1;
                    least[i] = 1000;
                }
            for (int k = 0; k < m; k += B1)
                meta_for (int j = 0; j < B1; j++)
                    if (k + j < m) {
                        mean[i] += a[i][k + j];
                        spread[i] += a[i][k + j] * a[i][k + j];
                        if (b[i][k + j] < least[i])
                            least[i] = b[i][k + j];
                    }
            meta_for (int j = 0; j < B1; j++)
                if (j == 0) {
                    mean[i] = mean[i] / (m + 1);
                    least[i] = -least[i];
                    spread[i] /= 2;
                }
        }
    }
}

// One number over a fixed number of blocks, begun and ended by bands of their own.
void whole(int n, int m, int B1, int G, int s[1], int twice[2], int out[1], double f[1], const int a[n * m],
           const double b[n * m])
{
    meta_schedule meta_reduce(+, s, twice, f) {
        meta_for (int g = 0; g < G; g++) {
            meta_for (int t = 0; t < B1; t++)
                if (g == 0 && t == 0) {
                    s[0] = 5;
                    f[0] = 0;
                    twice[1] = 4;
                }
            for (int i = g * B1; i < n * m; i += G * B1)
                meta_for (int t = 0; t < B1; t++)
                    if (i + t < n * m) {
                        s[0] += a[i + t];
                        f[0] += b[i + t];
                        twice[1] += a[i + t] * 3;
                    }
            meta_for (int t = 0; t < B1; t++)
                if (g == G - 1 && t == 0)
                    out[0] = s[0] * 2 + twice[1];
        }
    }
}

// Two sums that no array joins: they stay in one launch, since a finish stays with its sums.
void beside(int n, int m, int B0, int B1, unsigned few[n], double r[n], double s[n], const unsigned a[n][m],
            const double b[n][m])
{
    meta_schedule meta_reduce(+, few) meta_reduce(max, r) {
        meta_for (int bi = 0; bi < (n + B0 - 1) / B0; bi++)
            meta_for (int bj = 0; bj < (m + B1 - 1) / B1; bj++)
                meta_for (int ti = 0; ti < B0; ti++)
                    meta_for (int tj = 0; tj < B1; tj++) {
                        int i = bi * B0 + ti, j = bj * B1 + tj;
                        if (i < n && j < m) {
                            few[i] += a[i][j];
                            if (b[i][j] > r[i])
                                r[i] = b[i][j];
                            if (j == m - 1) {
                                s[i] = r[i] - 1;
                                r[i] /= 3;
                            }
                        }
                    }
    }
}
