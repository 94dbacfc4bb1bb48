/* Pragmas that advise compilers, wherever they may stand, and one that means something. */
#include <stdio.h>

static double a[96 * 64], b[96 * 64], c[96];

static void both(const double *restrict p, double *restrict d, int n, int m)
{
#pragma ivdep
    for (int i = 0; i < n; i++) {
#pragma GCC ivdep
        for (int j = 0; j < m; j++)
            d[i * m + j] = p[i * m + j] * 0.5;
    }
}

static void directly(double *d, int n)
{
#pragma GCC unroll 8
    for (int i = 0; i < n; i++)
        d[i] += 2;
    if (n > 3)
#pragma clang loop vectorize(enable)
        for (int i = 0; i < n; i++) {
#pragma HLS pipeline
            d[i] *= 3;
        }
}

static void shared(double *d, int n, int m)
{
#pragma omp parallel for
#pragma unroll(4)
    for (int i = 0; i < n; i++)
#pragma vector always
#pragma nounroll
        for (int j = 0; j < m; j++)
            d[i * m + j] -= i;
#pragma GCC ivdep
#pragma omp simd
    for (int i = 0; i < n; i++)
        d[i] += i;
}

static void marked(double *d, int n)
{
#pragma scop
#pragma GCC unroll 2
    for (int i = 0; i < n; i++)
        d[i] -= 0.25;
#pragma nohazard
    for (int i = 0; i < n; i++)
        d[i] *= 2;
#pragma endscop
}

/* The outer loop is a chain: its pragma stays, before the loop. */
static void steps(double *d, int n, int rounds)
{
#pragma GCC unroll 3
    while (rounds-- > 0 && d[0] < 1e9) {
#pragma GCC ivdep
        for (int i = 0; i < n; i++)
            d[i] += rounds;
    }
}

/* A pragma with a meaning keeps its loop. */
static void meant(double *d, int n)
{
    for (int i = 0; i < n; i++) {
#pragma STDC FP_CONTRACT OFF
        d[i] += 1;
    }
}

int main(void)
{
    double s = 0;
    for (int i = 0; i < 96 * 64; i++)
        a[i] = i % 37;
    both(a, b, 96, 64);
    directly(b, 96 * 64);
    shared(b, 96, 64);
    for (int i = 0; i < 96; i++)
        c[i] = b[i];
    marked(c, 96);
    steps(c, 96, 5);
    meant(c, 96);
    for (int i = 0; i < 96 * 64; i++)
        s += b[i] * (1 + i % 5) + c[i % 96];
    printf("%.17g\n", s);
    return 0;
}
