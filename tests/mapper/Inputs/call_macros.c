/* Calls that macros write: whole statements, values, names, statements that run once; and loops that macros write. */
#include <math.h>
#include "call_macros.h"

double dot(n, a, b)
    int n;
    const double *a, *b;
{
    int i;
    double s = 0.0;
    for (i = 0; i < n; i++)
        s += a[i] * b[i];
    return (s);
}
static void axpy(int n, double c, const double *x, double *y)
{
    for (int i = 0; i < n; i++)
        y[i] += c * x[i];
}
#define DOT(x, y) dot(n, x, y)
#define NORM(n, x) sqrt(dot((n), (x), (x)))
#define SET_DOT(s, x, y) s = dot(n, x, y)
#define AXPY(n, c, x, y) axpy((n), (c), (x), (y))
#define daxpy axpy
#define SCALE(n, c, x) do { for (int i_ = 0; i_ < (n); i_++) (x)[i_] *= (c); } while (0)
#define PAIR(x, y) axpy(n, 1.0, x, y); axpy(n, 2.0, x, y)

double step(int n, double p[restrict n], double q[restrict n], double r[restrict n], double x[restrict n])
{
    double pq, rr, alpha;
#pragma scop
    pq = DOT(p, q);
    SET_DOT(rr, r, r);
    alpha = rr / pq;
    AXPY(n, alpha, p, x);
    daxpy(n, -alpha, q, r);
    SCALE(n, 0.5, p);
#pragma endscop
    return NORM(n, r);
}

double norm(int n, double x[restrict n])
{
    double length;
#pragma scop
    length = 1 + NORM(n, x);
#pragma endscop
    return length;
}

float header(int n, float a[restrict n], float b[restrict n], float c[restrict n], float d[restrict n])
{
#pragma scop
    ADD_TWICE(n, a, b, c, d);
#pragma endscop
    return d[0];
}

void pair(int n, double x[restrict n], double y[restrict n], double z[restrict n])
{
#pragma scop
    AXPY(n, 3.0, x, z);
    PAIR(x, y);
#pragma endscop
}
