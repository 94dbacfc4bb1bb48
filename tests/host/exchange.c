/* RUN: %S/Inputs/same %treefork %root %s %t | FileCheck %s
   CHECK: exchange: {{[0-9]+}} runs, all the same
   Local pointers that take turns. */
#include <stdio.h>
#include <stdlib.h>
#include <metafork.h>
void f(int T, int n, int B, float *a)
{
    float *cur = malloc(n * sizeof *cur), *next = malloc(n * sizeof *next);
    for (int i = 0; i < n; i++) cur[i] = next[i] = a[i];
    for (int t = 0; t < T; t++) {
        meta_schedule { meta_for (int i = 0; i < (n + B - 1) / B; i++) meta_for (int j = 0; j < B; j++) { int p = i * B + j; if (p < n) next[p] = cur[p] + t; } }
        float *tmp = cur;
        cur = next;
        next = tmp;
    }
    for (int i = 0; i < n; i++) a[i] = cur[i];
    free(cur); free(next);
}
void g(int T, int n, int B, float *a, float *b)
{
    float *cur = a, *next = b;
    for (int t = 0; t < T; t++) {
        meta_schedule { meta_for (int i = 0; i < (n + B - 1) / B; i++) meta_for (int j = 0; j < B; j++) { int p = i * B + j; if (p < n) next[p] = cur[p] + t; } }
        float *tmp = cur;
        cur = next;
        next = tmp;
    }
}
void h(int T, int n, int B, float *a, float *b)
{
    for (int t = 0; t < T; t++) {
        float *cur = t % 2 ? b : a, *next = t % 2 ? a : b;
        meta_schedule { meta_for (int i = 0; i < (n + B - 1) / B; i++) meta_for (int j = 0; j < B; j++) { int p = i * B + j; if (p < n) next[p] = cur[p] + t; } }
    }
}
int main(void)
{
    float a[20], b[20];
    for (int i = 0; i < 20; i++) a[i] = b[i] = i;
    f(3, 20, 8, a); g(3, 20, 8, a, b); h(3, 20, 8, a, b);
    for (int i = 0; i < 20; i++) printf("%g %g,", a[i], b[i]);
}
