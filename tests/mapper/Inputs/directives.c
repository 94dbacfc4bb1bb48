#include <math.h>

/* Directives of OpenMP and OpenACC on loops: of C of 1989, nested, with inner ones. */
void shared_out(long n, long m, double *a, double *b, int *c)
{
    long i, j;
#pragma omp parallel for schedule(static) \
    private(j), num_threads(4)
    for (i = 0; i < n; i++)
        a[i] = c[i];
#pragma omp target teams distribute parallel for collapse(2) map(tofrom: b[0:n*m])
    for (i = 0; i < n; i++)
        for (j = 0; j < m; j++) {
            double t = 0;
#pragma omp simd
            for (long k = 0; k < 4; k++)
                t += c[i] * k;
            b[m * i + j] = t + sqrt(c[j] * (double)c[j]);
        }
#pragma acc parallel loop gang copyin(c)
    for (long q = 0; q < n; q++)
        a[q] += c[q] * 3;
}

/* What a directive says wrongly, what it may not say, and directives that share nothing out. */
void words(long n, long m, double *a, double *b, int *c)
{
    double s = 0;
#pragma omp parallel for reduction(+: s)
    for (long q = 0; q < n; q++)
        s += c[q];
#pragma omp parallel for collapse(2)
    for (long q = 1; q < n; q++)
        for (long r = 0; r < m; r++)
            a[q * m + r] += a[q * m + r - m];
#pragma omp parallel for frobnicate(3)
    for (long q = 1; q < n; q++)
        b[q] += 1;
#pragma omp parallel for
    for (long q = 0; q < n; q++)
        a[c[q] & 7] += 1;
#pragma omp simd
    for (long q = 1; q < n; q++)
        b[q] += s;
}

/* A scop with directives in it is one fragment. */
void inside(long n, long m, double *a, double *b, int *c)
{
#pragma scop
#pragma omp parallel for
    for (long i = 0; i < n; i++)
        a[i] = c[i];
#pragma omp parallel for
    for (long i = 0; i < n; i++)
        a[i] *= 2;
#pragma endscop
}
