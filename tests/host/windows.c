/* RUN: %S/Inputs/same %treefork %root %s %t | FileCheck %s
   CHECK: windows: {{[0-9]+}} runs, all the same
   Thousands of overlapping ranges of one allocation in turn. */
#include <stdio.h>
#include <stdlib.h>
#include <metafork.h>
static void inc(int n, int B, float *a)
{
    int dim = (n + B - 1) / B;
    meta_schedule { meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < B; j++) { int p = i * B + j; if (p < n) a[p] += 1; } }
}
int main(void)
{
    float *pool = calloc(6000000, sizeof *pool);
    double sum = 0;
    for (int r = 0; r < 2000; r++) {
        float *a = pool + (r * 1777) % 5000000;
        inc(1000 + r % 7, 64, a);
        sum += a[5];
    }
    printf("%g\n", sum);
    free(pool);
}
