// SET: n=33,B=8
// SET: n=5,B=2
// RUN: %treefork verify %s --set n=33,B=8 --set n=5,B=2 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Inlined functions: expressions, locals, several returns, loops, arrays as arguments, calls of calls, macros.
#include <math.h>
#include <metafork.h>
#define SQUARE(x) ((x) * (x))
static inline double sq(double x) { return x * x; }
static inline int clamp(int x, int low, int high)
{
    if (x < low)
        return low;
    else if (x > high)
        return high;
    return x;
}
static inline float norm(float x, float y)
{
    float t = x * x;
    t += y * y;
    return sqrtf(t);
}
static double horner(const double *a, int m, double x)
{
    double sum = 0;
    for (int k = m - 1; k >= 0; k--)
        sum = sum * x + a[k];
    return sum;
}
static void put(int n, double a[n][2], int p, double v)
{
    if (p % 3 == 0)
        return;
    a[p][0] = v;
    a[p][1] = sq(v) + sq(sq(a[p][0]));
}
static unsigned gcd_step(unsigned a, unsigned b)
{
    for (int k = 0; k < 5; k++) {
        unsigned t = b ? a % b : 0;
        if (b)
            a = b;
        b = t;
    }
    return a;
}
static double row_sum(const double r[2]) { return r[0] + r[1]; }
void helpers(int n, int B, const double coefficient[4], double a[n][2], float *f, unsigned *u)
{
    meta_schedule {
        meta_for (int i = 0; i < (n + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++) {
                const int p = i * B + j;
                if (p < n) {
                    double x = horner(coefficient, 4, p * 0.125);
                    put(n, a, p, x + SQUARE(p - 2));
                    f[p] = norm((float)x, f[p] + 1) + (p > 3 ? (float)sq(p) : -(float)sq(x));
                    u[p] = gcd_step(u[p], (unsigned)clamp(p, 3, 9)) + (unsigned)clamp(clamp(p, 0, 5), 2, 3);
                    if (p > 2 && sq(x) > 1.0)
                        f[p] -= 1;
                    a[p][0] += row_sum(a[p]);
                }
            }
    }
}
