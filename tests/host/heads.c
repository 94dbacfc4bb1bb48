/* RUN: %S/Inputs/same %treefork %root %s %t -Wno-deprecated-non-prototype -Wno-strict-prototypes -Wno-unknown-warning-option | FileCheck %s
   CHECK: heads: {{[0-9]+}} runs, all the same
   Directives, attributes and old-style parameters in heads; conditional compilation around touches. */
#include <stdio.h>
#include <metafork.h>
#ifdef WIDE
typedef double real;
#else
typedef float real;
#endif
void f(int n, int B,
#ifdef WIDE
       real *a)
#else
       real *a)
#endif
{
    int dim = (n + B - 1) / B;
#if 1
    meta_schedule { meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < B; j++) { int p = i * B + j; if (p < n) a[p] += 1; } }
#else
    whatever {
#endif
#ifdef WIDE
    a[0] = 1;
#else
    a[0] = 2;
#endif
    if (n)
#ifdef WIDE
        a[1] = 1;
#else
        a[1] = 2;
#endif
}
__attribute__((noinline)) static void g(int n, int B, real *restrict a, real (*b)[3])
{
    int dim = (n + B - 1) / B;
    meta_schedule { meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < B; j++) { int p = i * B + j; if (p < n) a[p] += b[p][1]; } }
}
int h(n, B, a) int n, B; real *a;
{
    int dim = (n + B - 1) / B;
    meta_schedule { meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < B; j++) { int p = i * B + j; if (p < n) a[p] += 1; } }
    return dim;
}
int main()
{
    real a[10] = {1, 2, 3}, b[10][3] = {{1, 2, 3}};
    f(10, 4, a);
    g(10, 4, a, b);
    printf("%g %g %d\n", a[0], a[1], h(10, 4, a));
    return 0;
}
