/* A program of OpenMP with its header, which clang has not. */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static void roots(int n, double *restrict a, const double *restrict b)
{
    double begin = omp_get_wtime();
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = sqrt(b[i]) * 2;
    if (omp_get_wtime() < begin)
        abort();
}

int main(void)
{
    enum { N = 1000 };
    double *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b);
    for (int i = 0; i < N; i++)
        b[i] = i;
    roots(N, a, b);
    printf("%.17g\n", a[777]);
    free(a);
    free(b);
    return 0;
}
