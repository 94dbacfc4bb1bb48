/* Both texts of complex.c on the same numbers: are all bits equal? */
#include <complex.h>
#include <stdio.h>
#include <string.h>

enum { N = 37, M = N * N };
#define BOTH(type, name, parameters) type name parameters; type name##_source parameters;
BOTH(void, axpy, (int n, float complex alpha, float complex *x, float complex *y))
BOTH(void, mixed, (int n, double complex *a, double complex *b, double complex *c))
BOTH(void, parts, (int n, double complex *a, double complex *b, double *r))
BOTH(void, inplace, (int n, float complex *z))
BOTH(void, gemm, (int n, float complex (*a)[n], float complex (*b)[n], float complex (*c)[n]))
BOTH(void, butterfly, (int n, double complex *w, double complex *x))
BOTH(void, scaled, (int n, double complex *z, double complex w))
BOTH(void, quotient, (int n, double complex *a, double complex *b))

static double complex d[2][3][2 * N];
static float complex f[2][3][M];
static double r[2][N];

static void data_set(void)
{
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < 3; k++) {
            for (int i = 0; i < 2 * N; i++)
                d[side][k][i] = (i * 7 + k) % 13 / 3.0 - 2 + ((i * 5 + k) % 11 / 7.0 - 1) * I;
            for (int i = 0; i < M; i++)
                f[side][k][i] = (i * 7 + k) % 13 / 3.0f - 2 + ((i * 5 + k) % 11 / 7.0f - 1) * I;
            for (int i = 0; i < N; i++)
                r[side][i] = i / 3.0;
        }
}

static int functions, wrong;
static void differ(const char *name)
{
    functions++;
    if (!memcmp(d[0], d[1], sizeof d[0]) && !memcmp(f[0], f[1], sizeof f[0]) && !memcmp(r[0], r[1], sizeof r[0]))
        return;
    wrong++;
    printf("%s differs\n", name);
}
#define RUN(name, first, second) (data_set(), name first, name##_source second, differ(#name))

int main(void)
{
    RUN(axpy, (N, 1.5f - 0.3f * I, f[0][0], f[0][1]), (N, 1.5f - 0.3f * I, f[1][0], f[1][1]));
    RUN(mixed, (N, d[0][0], d[0][1], d[0][2]), (N, d[1][0], d[1][1], d[1][2]));
    RUN(parts, (N, d[0][0], d[0][1], r[0]), (N, d[1][0], d[1][1], r[1]));
    RUN(inplace, (N, f[0][0]), (N, f[1][0]));
    RUN(gemm, (N, (void *)f[0][0], (void *)f[0][1], (void *)f[0][2]), (N, (void *)f[1][0], (void *)f[1][1], (void *)f[1][2]));
    RUN(butterfly, (N, d[0][0], d[0][1]), (N, d[1][0], d[1][1]));
    RUN(scaled, (N, d[0][0], 0.6 - 0.7 * I), (N, d[1][0], 0.6 - 0.7 * I));
    RUN(quotient, (N, d[0][0], d[0][1]), (N, d[1][0], d[1][1]));
    printf("%d functions, %d wrong\n", functions, wrong);
    return wrong != 0;
}
