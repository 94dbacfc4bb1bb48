/* RUN: %S/Inputs/same %treefork %root %s %t | FileCheck %s
   CHECK: foreign: {{[0-9]+}} runs, all the same
   Prototypes with types of the file, functions that return functions, extents of every form. */
#include <stdio.h>
#include <metafork.h>
typedef struct { float x, y; } pair_t;
struct opts { int n; };
typedef int (*fn)(int);
static int one(int x) { return x + 1; }
/* foreign types in prototypes */
pair_t first(int n, int B, float *a, const struct opts *o)
{
    int dim = (n + B - 1) / B, k = o->n;
    meta_schedule { meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < B; j++) { int p = i * B + j; if (p < n) a[p] += k; } }
    return (pair_t){a[0], a[1]};
}
fn second(int n, int B, float *a)
{
    int dim = (n + B - 1) / B;
    meta_schedule { meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < B; j++) { int p = i * B + j; if (p < n) a[p] += 1; } }
    return one;
}
int (*third(int n, int B, float *a))(int)
{
    int dim = (n + B - 1) / B;
    meta_schedule { meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < B; j++) { int p = i * B + j; if (p < n) a[p] += 1; } }
    return one;
}
int fourth(int n, int B, float *a, FILE *f, fn g, char **argv, void *ctx, long double ld, pair_t pt)
{
    int dim = (n + B - 1) / B;
    meta_schedule { meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < B; j++) { int p = i * B + j; if (p < n) a[p] += 1; } }
    (void)argv; (void)ctx; (void)ld; (void)pt;
    fprintf(f, "%g\n", a[0]);
    return g(n);
}
void fifth(int n, int B, float a[n], float b[static 2])
{
    int dim = (n + B - 1) / B;
    meta_schedule { meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < B; j++) { int p = i * B + j; if (p < n) a[p] += b[0]; } }
}
void sixth(int n, int B, float (*restrict a)[n], float b[const restrict n][2])
{
    int dim = (n + B - 1) / B;
    meta_schedule { meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < B; j++) { int p = i * B + j; if (p < n) a[1][p] += b[p][1]; } }
}
int main(void)
{
    float a[2][10] = {{1, 2, 3}, {3}}, b[10][2] = {{1, 4}};
    struct opts o = {3};
    pair_t p = first(10, 4, a[0], &o);
    printf("%g %g %d\n", p.x, p.y, second(10, 4, a[0])(2) + third(10, 4, a[0])(3));
    printf("%d\n", fourth(10, 4, a[0], stdout, one, NULL, NULL, 0, p));
    fifth(10, 4, a[0], b[0]);
    sixth(10, 4, a, b);
    printf("%g %g\n", a[0][0], a[1][0]);
}
