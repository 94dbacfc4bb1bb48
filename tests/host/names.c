/* RUN: %S/Inputs/same %treefork %root %s %t | FileCheck %s
   CHECK: names: {{[0-9]+}} runs, all the same
   Names that meet those of generated code; comments in heads. */
#include <stdio.h>
#include <metafork.h>
/* names that meet */
void foo(int n, int B, float *a);
void foo_2(int n, int B, float *a);
int foo_chosen(int x) { return x + 1; }
void foo(int n, int B, float *a) // a comment behind
{
    int dim = (n + B - 1) / B;
    meta_schedule { meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < B; j++) { int p = i * B + j; if (p < n) a[p] += 1; } }
    meta_schedule { meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < B; j++) { int p = i * B + j; if (p < n) a[p] *= 2; } }
}
void foo_2(int n, int B, float *a) /* b */ // c
{
    int dim = (n + B - 1) / B;
    meta_schedule { meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < B; j++) { int p = i * B + j; if (p < n) a[p] -= 5; } }
}
static int foo__body = 3, foo_auto = 4;
int main(void)
{
    float a[10] = {1, 2, 3};
    foo(10, 4, a);
    foo_2(10, 4, a);
    printf("%g %d %d %d\n", a[1], foo_chosen(2), foo__body, foo_auto);
}
