/* Host code around regions: touches in every position, static and non-void functions, returns
   inside loops, two regions in a function, a region in main, global and local arrays, typedefs and
   macros, a feature macro before the includes. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <metafork.h>

typedef double real;
#define M 48
#define SQUARE(x) ((x) * (x))

static real table[M][M];
static int calls;

/* Doubles what it is given; knows nothing of devices. */
static real sum(int n, const real *x)
{
    real total = 0;
    for (int i = 0; i < n; i++)
        total += x[i];
    calls++;
    return total;
}

/* Non-void, several returns, touches in every position. */
static double smooth(int n, int B, real *restrict x, real y[restrict n])
{
    int dim = (n + B - 1) / B;
    double before = 0;
    if (n < 0)
        return -1;
    if (n == 1)
        x[0] = 7;
    else
        x[0] = 3;
    for (int r = 0; r < 3; r++) {
        meta_schedule {
            meta_for (int i = 0; i < dim; i++)
                meta_for (int j = 0; j < B; j++) {
                    int p = i * B + j;
                    if (p < n)
                        y[p] = SQUARE(x[p]) + 0.5 * r;
                }
        }
        if (r == 1)
            before += sum(n, y);
        else if (r == 2)
            x[0] += y[n - 1];
        for (int k = 0; k < 2; k++)
            x[k % n] += y[k % n];
        do x[n - 1] += 1; while (x[n - 1] < 0);
    }
    if (before > 1e6)
        return before;
    meta_schedule {
        meta_for (int i = 0; i < dim; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                if (p < n)
                    x[p] = y[p] - x[p];
            }
    }
    return before + sum(n, x);
}

/* A global array, a local one, unsigned and narrow types. */
void fill(unsigned int n, int B, unsigned char seed)
{
    short local[M];
    int dim = ((int)n + B - 1) / B;
    for (int i = 0; i < M; i++)
        local[i] = (short)(i * seed);
    meta_schedule {
        meta_for (int i = 0; i < dim; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                if (p < M)
                    for (int k = 0; k < M; k++)
                        table[p][k] = local[p] * (real)k + seed;
            }
    }
    printf("%g %g\n", table[1][2], table[M - 1][M - 1]);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 100, B = argc > 2 ? atoi(argv[2]) : 16;
    real *x = malloc(sizeof(real) * (size_t)n), *y = malloc(sizeof(real) * (size_t)n);
    for (int i = 0; i < n; i++)
        x[i] = i % 10, y[i] = 0;
    printf("%.10g\n", smooth(n, B, x, y));
    printf("%.10g %.10g\n", sum(n, x), sum(n, y));
    fill(M, B, 3);
    int dim = n / B;
    meta_schedule {
        meta_for (int i = 0; i < dim; i++)
            meta_for (int j = 0; j < B; j++)
                x[i * B + j] *= 2;
    }
    printf("%.10g %d\n", sum(n, x), calls > 0);
    free(x);
    free(y);
}
