/* RUN: %S/Inputs/same %treefork %root %s %t | FileCheck %s
   CHECK: storage: {{[0-9]+}} runs, all the same
   Constant, static, register, extern and file-scope arrays and pointers, variable-length locals; pragmas and gotos around
   touches; a region as the single statement of do. */
#include <stdio.h>
#include <stdlib.h>
#include <metafork.h>
#define UNUSED(x) (void)(x)
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
/* const, static storage, register, inline, extern declarations */
extern int counter;
int counter;
static const float weights[4] = {1, 2, 3, 4};
static float *heap;
float *shared_pointer;
typedef float (*matrix)[8];
inline static void first(const int n, register int B, float *const a)
{
    const int dim = (n + B - 1) / B;
    meta_schedule { meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < B; j++) { int p = i * B + j; if (p < n) a[p] += weights[p % 4]; } }
}
static void second(int n, int B)
{
    int dim = (n + B - 1) / B;
    counter++;
    for (int t = 0; t < 3; t++) {
        meta_schedule { meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < B; j++) { int p = i * B + j; if (p < n) heap[p] = shared_pointer[p] + t + counter; } }
        counter += t;
        float *s = heap; heap = shared_pointer; shared_pointer = s;
    }
}
void third(int n, int m, int B, matrix a, float b[n][8], float c[][m])
{
    _Pragma("GCC ivdep") for (int i = 0; i < n; i++) a[i][0] = i;
    meta_schedule { meta_for (int i = 0; i < n; i++) meta_for (int j = 0; j < 8; j++) { a[i][j] += b[i][j] * c[i][j % m]; } }
    if (n > 3)
#pragma GCC unroll 2
        for (int i = 0; i < n; i++) a[i][1] = a[i][2];
    (void)B;
}
static int fourth(int n, int B, int *restrict v, int *restrict w)
{
    int dim = (n + B - 1) / B, r = 0, vla[n];
    for (int i = 0; i < n; i++) vla[i] = i;
    do
        meta_schedule { meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < B; j++) { int p = i * B + j; if (p < n) v[p] = w[p] + vla[p] + r; } }
    while (++r < 3);
    for (r = 0; r < 2; r++) {
        int inner[n];
        meta_schedule { meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < B; j++) { int p = i * B + j; if (p < n) inner[p] = v[p] * 2; } }
        meta_schedule { meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < B; j++) { int p = i * B + j; if (p < n) w[p] = inner[p] + 1; } }
        if (r == 1) break;
        if (w[0] > 100000) return -1;
    }
    return r == 1 ? v[n - 1] : (w[0]);
}
static void fifth(int n, int B, double *x)
{
    int dim = (n + B - 1) / B;
    if (n > 5) goto work;
    x[0] = 1;
    return;
work:
    meta_schedule { meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < B; j++) { int p = i * B + j; if (p < n) x[p] = x[p] * 2; } }
    x[0]++;
    if (x[0] < 3) goto work;
}
int main(void)
{
    float a[20] = {0}, m[5][8] = {{0}}, b[5][8] = {{1, 2}}, c[5][3] = {{1}};
    heap = calloc(20, 4), shared_pointer = calloc(20, 4);
    first(20, 8, a);
    second(20, 8);
    third(5, 3, 8, m, b, c);
    for (int i = 0; i < 20; i++) printf("%g %g %g,", a[i], heap[i], shared_pointer[i]);
    for (int i = 0; i < 40; i++) printf("%g ", (&m[0][0])[i]);
    int v[9] = {0}, w[9] = {3};
    printf("%d\n", fourth(9, 4, v, w));
    for (int i = 0; i < 9; i++) printf("%d %d,", v[i], w[i]);
    double x[7] = {1, 2, 3};
    fifth(7, 4, x); fifth(3, 4, x);
    for (int i = 0; i < 7; i++) printf("%g ", x[i]);
    UNUSED(counter);
    free(heap); free(shared_pointer);
    return 0;
}
