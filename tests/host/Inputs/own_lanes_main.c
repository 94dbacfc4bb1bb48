/* Runs Inputs/own_lanes.c at lengths around the lanes; each sum must have the bits of 16 lanes and a tree. With
   -DSERIAL_ORDER the sums are C's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifndef SERIAL_ORDER
#include "own_lanes.tf.h"
#else
void own_gemv(int m, int n, float alpha, float beta, const float *a, const float *x, float *y);
void own_element(int m, int n, const double *a, double *y);
void own_two(int m, int n, const float *a, const float *b, const float *x, float *y);
void own_triangle(int m, const double *a, double *y);
void own_columns(int m, int n, const float *a, float *y);
#endif
enum { M = 19, N = 1030, WIDE = 4200, LANES = 16 };
static float a[M * N], b[M * N], x[N], y[WIDE], z[WIDE];
static double d[N * N / 8], w[N], v[N];

#define SUM_IN_LANES(NAME, TYPE)                                                                   \
    static TYPE NAME(int n, const TYPE *terms)                                                     \
    {                                                                                              \
        TYPE lanes[LANES];                                                                         \
        for (int l = 0; l < LANES; l++) {                                                          \
            lanes[l] = -0.0;                                                                       \
            for (int j = l; j < n; j += LANES)                                                     \
                lanes[l] += terms[j];                                                              \
        }                                                                                          \
        for (int far = LANES / 2; far; far /= 2)                                                   \
            for (int l = 0; l < far; l++)                                                          \
                lanes[l] += lanes[l + far];                                                        \
        return lanes[0];                                                                           \
    }
SUM_IN_LANES(sum_floats, float)
SUM_IN_LANES(sum_doubles, double)

static int wrong;
static void compare(const char *name, int n, const void *got, const void *want, size_t bytes)
{
    if (!memcmp(got, want, bytes))
        return;
    wrong++;
    printf("%s has other bits at %d\n", name, n);
}

static void start(void)
{
    for (int i = 0; i < WIDE; i++)
        y[i] = z[i] = (float)(i * 31 % 17) / 3;
    for (int i = 0; i < N; i++)
        w[i] = v[i] = (i * 31 % 17) / 3.0;
}

static void gemv(int m, int n)
{
    float terms[N];
    start();
    own_gemv(m, n, 1.25f, 0.75f, (void *)a, x, y);
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++)
            terms[j] = a[i * n + j] * x[j];
        float s = 0 + sum_floats(n, terms);
        z[i] = 0.75f * z[i] + 1.25f * s;
    }
    compare("gemv", n, y, z, sizeof y);
}

static void element(int m, int n)
{
    double terms[N];
    start();
    own_element(m, n, (void *)d, w);
    for (int i = 0; i < m && n > 3; i++) {
        for (int j = 3; j < n; j++)
            terms[j - 3] = -d[i * n + j];
        v[i] += sum_doubles(n - 3, terms);
    }
    compare("element", n, w, v, sizeof w);
}

static void two(int m, int n)
{
    start();
    own_two(m, n, (void *)a, (void *)b, x, y);
    for (int i = 0; i < m; i++) {
        float first[N], second[N];
        for (int j = 0; j < n; j++) {
            first[j] = a[i * n + j] * x[j];
            second[j] = j == i ? -0.0f : b[i * n + j] * x[j] + x[j];
        }
        z[i] = (0 + sum_floats(n, first)) - (0 + sum_floats(n, second));
    }
    compare("two", n, y, z, sizeof y);
}

static void triangle(int m)
{
    start();
    own_triangle(m, (void *)d, w);
    for (int i = 0; i < m; i++)
        v[i] = 0 + sum_doubles(m - i, &d[i * m + i]);
    compare("triangle", m, w, v, sizeof w);
}

static void columns(int m, int n)
{
    start();
    own_columns(m, n, (void *)a, y);
    for (int i = 0; i < m; i++) {
        z[i] = 0;
        for (int j = 0; j < n; j++)
            z[i] += a[j * m + i];
    }
    compare("columns", n, y, z, sizeof y);
}

int main(void)
{
    static const int sizes[] = {0, 1, 3, 15, 16, 17, 19, 33, 100, N};
    for (int i = 0; i < M * N; i++) {
        a[i] = (float)(i * 37 % 1009) / 97 - 4;
        b[i] = (float)(i * 53 % 887) / 83 - 5;
    }
    for (int i = 0; i < N; i++)
        x[i] = (float)(i * 29 % 101) / 31 - 1;
    for (int i = 0; i < N * N / 8; i++)
        d[i] = (i * 41 % 1013) / 91.0 - 6;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (int m = 0; m <= M; m += m < 8 ? 1 : 11) {
            gemv(m, sizes[k]);
            element(m, sizes[k]);
            two(m, sizes[k]);
            columns(m, sizes[k]);
            if (m == 1 && sizes[k] < 300)
                triangle(sizes[k]);
        }
    columns(WIDE, 4);
    printf("%d wrong\n", wrong);
    return 0;
}
