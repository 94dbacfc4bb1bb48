/* Loops in which the preprocessor chooses: compiled with any macros the text means what this does. */
#include <stdio.h>

typedef struct { double re, im; } pair;

static double a[3000], b[3000];

static pair turned(pair p)
{
#ifdef DAMP
    p.re = p.re * 0.5;
#endif
    return p;
}

static void scale(double *restrict d, const double *restrict s, int n)
{
    for (int i = 0; i < n; i++) {
        /* first */
        d[i] = s[i];
#ifdef DAMP
        d[i] *= 0.75;   /* damped */
#endif
#if MODE == 1
        d[i] += 1;
#elif MODE == 2
        d[i] += 2;
# ifdef DEEP
        d[i] *= 2;
# else
        d[i] *= 3;
# endif
#else
        d[i] += 3;
#endif
#ifdef NOTHING
        /* comments alone */
#endif
        d[i] -= 1;
    }
}

/* The calls stay calls, as what the preprocessor chooses in the function is not in their text. */
static void chain(double *restrict x, double *restrict y, int n)
{
    scale(y, x, n);
    for (int i = 0; i < n; i++)
        x[i] = y[i] * 0.5;
}

static void pairs(double *restrict x, int n)
{
    for (int i = 0; i < n; i++) {
        pair p = {x[i], i};
        p = turned(p);
        x[i] = p.re + p.im;
    }
}

/* A group that begins in a statement, and a definition, keep their loops. */
static void kept(double *restrict x, int n)
{
    for (int i = 0; i < n; i++) {
        x[i] = x[i]
#ifdef DAMP
            + 1
#endif
            + 2;
    }
    for (int i = 0; i < n; i++) {
#define THREE 3
        x[i] += THREE;
    }
}

int main(void)
{
    double s = 0;
    for (int i = 0; i < 3000; i++)
        a[i] = i % 71;
    chain(a, b, 3000);
    if (a[1] > -1000)
        for (int i = 0; i < 3000; i++) {
#ifndef DAMP
            b[i] += a[i];
#else
            b[i] -= a[i];
#endif
        }
    pairs(a, 3000);
    kept(a, 3000);
    for (int i = 0; i < 3000; i++)
        s += a[i] * (1 + i % 3) + b[i];
    printf("%.17g\n", s);
    return 0;
}
