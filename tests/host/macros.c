/* RUN: %S/Inputs/same %treefork %root %s %t | FileCheck %s
   CHECK: macros: {{[0-9]+}} runs, all the same
   Touches by macros, labels, cases; a function that returns a pointer or a structure. */
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <time.h>
#include <metafork.h>
#define FOR(i, n) for (int i = 0; i < n; i++)
#define SET(a, i, v) a[i] = v
#define BODY(x) { x }
static float buf[2][128];
static double total;
static void add(const float *x, int n) { FOR(i, n) total += x[i]; }
double work(int n, int B, int T, float x[n], float y[n])
{
    int dim = (n + B - 1) / B;
    FOR(i, n) y[i] = 0;
    FOR(t, T)
        meta_schedule { meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < B; j++) { int p = i * B + j; if (p < n) y[p] += x[p] + t; } }
    FOR(t, T) {
        meta_schedule { meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < B; j++) { int p = i * B + j; if (p < n) y[p] += x[p] + t; } }
        if (t == 1) SET(x, 0, 5.0f); else SET(x, 1, 6.0f);
        BODY(x[2] += 1;)
        if (t) BODY(x[2] += 1;) else BODY(x[3]--;)
        SET(x, 4, t), SET(x, 5, t);
        FOR(i, 2) SET(x, i, y[i]);
        double m = fabs(y[0]) > 3 ? y[1] : 2;
        total += m;
        switch (t) { case 0: x[7] = 1; break; default: x[8] = 2; break; case 5: x[9] = x[8] + y[9]; }
        int k = 0;
    again:
        x[10] += y[10];
        if (k++ < 2) goto again;
    }
    add(y, n);
    return total;
}
float *ptr(int n, int B, float *x)
{
    int dim = (n + B - 1) / B;
    meta_schedule { meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < B; j++) { int p = i * B + j; if (p < n) x[p] += 3; } }
    return x + 2;
}
struct pair { float a, b; };
struct pair both(int n, int B, float *x)
{
    int dim = (n + B - 1) / B;
    meta_schedule { meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < B; j++) { int p = i * B + j; if (p < n) x[p] += 3; } }
    return (struct pair){x[0], x[1]};
}
int main(int argc, char *argv[])
{
    FOR(i, 128) buf[0][i] = i % 5;
    printf("%g\n", work(128, 16, 4, buf[0], buf[1]));
    FOR(i, 128) printf("%g %g\n", buf[0][i], buf[1][i]);
    printf("%g\n", *ptr(100, 8, buf[1]));
    struct pair p = both(100, 8, buf[1]);
    printf("%g %g\n", p.a, p.b);
    (void)argv;
    if (argc > 5) exit(3);
    exit(argc);
}
