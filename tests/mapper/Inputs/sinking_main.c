/* All functions of sinking.c at several sizes, or with an argument the first two: sums of what they leave, with numbers that are none
   among their data. */
#include <math.h>
#include <stdio.h>
#include <string.h>

void product(int m, int n, int k, double alpha, double beta, const double *a, int lda, const double *b, int ldb, double *c,
             int ldc);
void outer(int m, int n, double alpha, const double *x, const double *y, double *a, int lda);
void solve(int m, int n, int nounit, const double *a, int lda, double *b, int ldb);
void rank(int *n, int *k, double *alpha, double *a, int *lda, double *c, int *ldc);
void chosen(int m, int n, int upper, const float *x, float *c, int ldc);
int last(int m, int n, const double *x, double *c, int ldc);
void bounded(int n, const int *rows, double *c, int ldc);
void steps(int m, int n, const int *asked, float *restrict c, float *restrict d);

enum { SIDE = 40 };
static double a[SIDE * SIDE], b[SIDE * SIDE], c[SIDE * SIDE];
static float x[SIDE], g[SIDE], f[SIDE * SIDE];
static int rows[SIDE];

static void fill(int seed)
{
    unsigned state = (unsigned)seed;
    for (int i = 0; i < SIDE * SIDE; i++) {
        state = state * 1103515245u + 12345u;
        a[i] = (double)(state >> 16 & 255) / 64 - 1.5;
        b[i] = i % 7 == 3 ? 0. : i % 11 == 5 ? -0. : (double)(state >> 20 & 255) / 64 - 2;
        c[i] = (double)(state >> 18 & 255) / 64 - 2;
        f[i] = (float)c[i];
        x[i % SIDE] = (float)a[i];
        rows[i % SIDE] = (int)(state >> 16 & 15) - 4;
    }
    a[3 * SIDE] = NAN;
    a[77] = INFINITY;
    b[5] = NAN;
    c[1] = NAN;
}

static void print(const char *name, const void *data, size_t bytes)
{
    unsigned long sum = 5381;
    for (size_t i = 0; i < bytes; i++)
        sum = sum * 33 ^ ((const unsigned char *)data)[i];
    printf("%s %lx\n", name, sum);
}

int main(int argc, char **argv)
{
    static const int sizes[][3] = {{0, 3, 2}, {7, 0, 3}, {5, 4, 0}, {33, 29, 31}};
    static const double betas[] = {0., 1., 0.5, NAN};
    double alpha = 1.25;
    for (int s = 0; s < 4; s++) {
        int m = sizes[s][0], n = sizes[s][1], k = sizes[s][2], ld = SIDE;
        for (int i = 0; i < 4; i++) {
            fill(s + 1);
            product(m, n, k, alpha, betas[i], a, ld, b, ld, c, ld);
            print("product", c, sizeof c);
        }
        outer(m, n, alpha, a, b, c, ld);
        print("outer", c, sizeof c);
        if (argc > 1 && argv[1])
            continue;
        fill(s + 2);
        solve(m, n, s & 1, a, ld, b, ld);
        print("solve", b, sizeof b);
        rank(&n, &k, &alpha, b, &ld, c, &ld);
        print("rank", c, sizeof c);
        chosen(m, n, s - 1, x, f, ld);
        print("chosen", f, sizeof f);
        printf("%d\n", last(m, n, b, c, ld));
        bounded(n, rows, c, ld);
        print("bounded", c, sizeof c);
        steps(m, n, rows, f, g);
        print("steps", f, sizeof f);
    }
    return 0;
}
