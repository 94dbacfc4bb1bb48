// SET: n=37,B=4,m=6
// RUN: %treefork verify %s --set n=37,B=4,m=6 --set n=5,B=2,m=3 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
/* Places in arrays as arguments of functions: elements, rows, sums; `*` on a parameter. */
#include <metafork.h>
static double dot(int n, const double *x, const double *y)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += x[i] * *(y + i);
    return s;
}
static void turn(double *p, double *q, double c, double s)
{
    double t = *p;
    *p = c * t - s * *q;
    *q = s * t + c * *q;
    (*q)++;
}
static void outer(double *y, const double *x)
{
    turn(y, &y[1], x[-1], 1[x]);
    turn(y + 3, 2 + y, *x, x[0]);
}
static double corner(double (*m)[3])
{
    return m[0][0] + *m[1] + (*(m + 1))[2] + *(m[2] + 1);
}
void places(int n, int B, int m, double a[restrict n][6], double g[restrict n], double v[restrict 8 * n],
            double c[restrict n + 2][3])
{
    meta_schedule {
        meta_for (int b = 0; b < (n + B - 1) / B; b++)
            meta_for (int t = 0; t < B; t++) {
                int i = b * B + t;
                if (i < n) {
                    g[i] = dot(m, a[i], &a[n - 1 - i][0]) + dot(m - 2, a[i] + 2, &a[i][1]);
                    outer(&v[8 * i] + 4, v + 8 * i + 1);
                    g[i] += corner(c + i) + *(g + i);
                }
            }
    }
}
