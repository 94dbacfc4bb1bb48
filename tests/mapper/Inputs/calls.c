/* Calls of functions whose body is loops: each counts as these loops, where the text has it. */
#include <math.h>
#include "calls.h"
#define WIDTH 24

static float table[64];

static void axpy(int n, float alpha, const float *x, float *y)
{
    for (int i = 0; i < n; i++)
        y[i] += alpha * x[i];
}

static float dot(int n, const float *x, const float *y)
{
    float s = 0;
    for (int i = 0; i < n; i++)
        s += x[i] * y[i];
    return s;
}

static double length(int n, const float *x)
{
    return sqrt(dot(n, x, x));
}

static void step(int n, const float *a, float *b)
{
    int last = n - 1;
    for (int i = 1; i < last; i++)
        b[i] = 0.5f * (a[i - 1] + a[i + 1]);
}

/* A parameter that the function changes, and a local array. */
static void smooth(int n, int rounds, float *a)
{
    float t[n];
    while (rounds > 1)
        rounds--;
    for (int i = 0; i < n; i++)
        t[i] = a[i] * (float)rounds;
    for (int i = 1; i < n - 1; i++)
        a[i] = t[i - 1] + t[i + 1];
}

static void two_steps(int n, float *a, float *b)
{
    step(n, a, b);
    step(n, b, a);
}

static void scale(int m, int n, float A[m][n], float by)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            A[i][j] *= by;
}

static float last_of(int n, const float *x)
{
    float v = 0;
    for (int i = 0; i < n; i++)
        v = x[i];
    return v + 1;
}

/* Arguments: literals, places, rows, values that are worked out once, macros of a header. */
void arguments(int n, float a[restrict n], float b[restrict n], float c[restrict n], float s[restrict 2])
{
#pragma scop
    axpy(n, 2, a, b);
    axpy(n - 1, -s[0], b + 1, c);
    axpy(n / 2, s[0] * s[1], &a[n / 2], c);
    header_add(n, a, c);
#pragma endscop
}

/* A loop of the host, whose iterator has the name of that of the functions. */
void steps(int n, int rounds, float a[restrict n], float b[restrict n])
{
#pragma scop
    for (int i = 0; i < rounds; i++) {
        step(n, a, b);
        step(n, b, a);
    }
#pragma endscop
}

/* Functions that call others; one alone in a loop. */
void nested(int n, int rounds, float a[restrict n], float b[restrict n])
{
#pragma scop
    for (int t = 0; t < rounds; t++)
        two_steps(n, a, b);
#pragma endscop
}

/* Results: of an assignment, in an expression, in a declaration. */
float results(int n, float a[restrict n], float b[restrict n], float c[restrict n])
{
    float alpha;
#pragma scop
    alpha = dot(n, a, b);
    axpy(n, alpha, a, c);
    alpha = alpha / (1 + dot(n, a, a)) + last_of(n, c);
    axpy(n, alpha, b, c);
    double l = length(n, c);
    for (int i = 0; i < n; i++)
        c[i] = (float)(c[i] / (1 + l));
#pragma endscop
    return alpha;
}

/* Matrices of two axes, a block under a mark, a condition. */
void matrices(int m, int n, int twice, float A[restrict m][n], float x[restrict n])
{
#pragma target
    {
        scale(m, n, A, 3);
        if (twice > 0)
            scale(m, n, A, 0.5f);
        for (int i = 0; i < m; i++)
            for (int j = 0; j < n; j++)
                A[i][j] += x[j];
    }
}

/* Local arrays, an array of the file, and one that is given twice. */
void locals(int n, float a[restrict n])
{
#pragma scop
    smooth(n, 3, a);
    smooth(n, 1, a);
    axpy(n, 2, a, a);
    axpy(n < 64 ? n : 64, 1, table, a);
#pragma endscop
}
