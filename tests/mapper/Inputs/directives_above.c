#include <stdlib.h>

/* Directives directly above one another, of which the lower one or a mark takes the loop. */
void above(long n, long m, double *a, double *b, int *c)
{
#pragma omp target data map(tofrom: a[0:n])
#pragma omp target teams num_teams(4) map(to: c[0:n])
    /* Words between. */
#pragma omp distribute parallel for
    for (long i = 0; i < n; i++)
        a[i] = c[i];
#pragma omp target enter data map(to: b[0:m])
#pragma omp parallel
#pragma scop
    for (long i = 0; i < m; i++)
        b[i] += 2;
#pragma endscop
#pragma omp simd
#pragma target
    for (long i = 0; i < m; i++)
        b[i] *= 3;
#pragma scop
#pragma omp parallel for
    for (long i = 0; i < n; i++)
        a[i] += 5;
    if (n > 1000000)
        abort();
#pragma endscop
}

/* Directives that have threads run what is around the loops. */
void around(long n, long m, double *a, double *b, int *c)
{
#pragma omp target teams
    {
#pragma omp distribute parallel for
        for (long i = 0; i < n; i++)
            a[i] = c[i];
    }
#pragma omp parallel
    if (m > 0)
#pragma target
        for (long i = 0; i < m; i++)
            b[i] = 4;
#pragma omp target data map(tofrom: a[0:n])
    {
#pragma acc parallel loop
        for (long i = 0; i < n; i++)
            a[i] *= 7;
    }
}

/* The upper one is read, too. */
void upper(long n, long m, double *a, double *b, int *c)
{
    double s = 0;
#pragma omp target teams reduction(+: s)
#pragma omp distribute parallel for
    for (long i = 0; i < n; i++)
        s += a[i];
    b[0] = s;
}

/* A block that threads run, and loops in it that are shared out to them; a loop for threads that begin
   elsewhere. */
void blocks(long n, long m, double *a, double *b, int *c)
{
    long i, j;
#pragma omp parallel private(i, j) if(n > 9) num_threads(4)
    {
#pragma omp for nowait schedule(static) ordered
        for (i = 0; i < n; i++)
            a[i] = a[i] + c[i];
#pragma omp single
        b[0] += 1;
#pragma omp for simd schedule(dynamic) linear(j)
        for (j = 0; j < m; j++)
            b[j] *= 1.5;
    }
#pragma omp for
    for (i = 0; i < n; i++)
        a[i] -= 1;
#pragma omp simd safelen(4)
    for (i = 0; i < n; i++)
        a[i] *= 0.5;
}
