/* RUN: %S/Inputs/same %treefork %root %s %t | FileCheck %s
   CHECK: positions: {{[0-9]+}} runs, all the same
   Regions in if and else without braces, in loops, in nested blocks, in main; returns before, between and behind them. */
#include <stdio.h>
#include <stdlib.h>
#include <metafork.h>
#define N 100
static float g[N], h[N];
static void init(void) { for (int i = 0; i < N; i++) g[i] = h[i] = i; }
/* regions in if/else without braces, in loops, nested blocks */
static int step(int n, int B, float a[n], float b[n], int mode)
{
    int dim = (n + B - 1) / B;
    if (mode == 9)
        return -1;
    if (mode == 0)
        meta_schedule cache(a) { meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < B; j++) { int p = i * B + j; if (p < n) b[p] = a[p] + 1; } }
    else if (mode == 1)
        meta_schedule { meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < B; j++) { int p = i * B + j; if (p < n) b[p] = a[p] * 2; } }
    else
        for (int t = 0; t < 3; t++)
            meta_schedule { meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < B; j++) { int p = i * B + j; if (p < n) b[p] = b[p] + t; } }
    {
        {
            if (mode > 5) return 3;
            ;
        }
    }
    while (mode-- > 0) {
        meta_schedule { meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < B; j++) { int p = i * B + j; if (p < n) a[p] = b[p] - mode; } }
        if (mode == 2) continue;
        if (a[0] > 1000) break;
    }
    return (int)b[n - 1];
}
int main(void)
{
    init();
    for (int m = 0; m < 10; m++)
        printf("%d %g %g\n", step(N, 16, g, h, m), g[3], h[4]);
    float local[N];
    for (int i = 0; i < N; i++) local[i] = -i;
    printf("%d\n", step(N, 7, local, g, 2));
    for (int i = 0; i < N; i++) printf("%g ", local[i] + g[i]);
    puts("");
    int B = 8, dim = N / B;
    meta_schedule { meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < B; j++) local[i * B + j] += g[i * B + j]; }
    for (int i = 0; i < N; i++) printf("%g ", local[i]);
    return local[5] > 0 ? 4 : 5;
}
