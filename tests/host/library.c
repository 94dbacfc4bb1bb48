/* RUN: %S/Inputs/same %treefork %root %s %t -fopenmp | FileCheck %s
   CHECK: library: {{[0-9]+}} runs, all the same
   Variables and functions of the file with names that headers of the C library declare, which the file
   does not include: <math.h>, <stdlib.h>, <sys/select.h>, <omp.h>; functions that none may name. */
#include <stdio.h>
#include <metafork.h>
#pragma GCC poison malloc free calloc realloc
typedef float double_t;
double_t y[100], signgam[100];
static int omp_get_num_procs = 2;
static double j1(double x) { return x * 2; }
static int select(int a, int b, int c) { return a ? b : c; }
static long random(int x) { return x < 0 ? -x : x; }
extern double exp(double);
double sum(int n, double *restrict a)
{
    const int B = meta_tunable(16);
    double s = 0;
    meta_schedule meta_reduce(+, s) { meta_for (int i = 0; i < (n + B - 1) / B; i++) meta_for (int j = 0; j < B; j++) {
        int p = i * B + j;
        if (p < n) s += j1(a[p]) * select(p & 1, 2, 3) + exp(a[p] - 4);
    } }
    meta_schedule { meta_for (int i = 0; i < (n + B - 1) / B; i++) meta_for (int j = 0; j < B; j++) {
        int p = i * B + j;
        if (p < n) y[p] = exp(-a[p]) + signgam[p] + random(p - 4);
    } }
    return s + y[n - 1];
}
int main(void)
{
    double a[100] = {1, 2, 3};
    signgam[99] = omp_get_num_procs;
    printf("%.10g\n", sum(100, a));
    return 0;
}
