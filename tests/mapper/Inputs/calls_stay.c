/* Calls of functions of loops that stay calls, each for one reason. */
#include <stdlib.h>

typedef void (*work)(int n, float *x);
static float shift = 1;
struct grid {
    int n;
    float *at;
};

static void early(int n, float *x)
{
    for (int i = 0; i < n; i++) {
        if (x[i] > 100)
            return;
        x[i] += 1;
    }
}

static void again(int n, float *x)
{
    for (int i = 0; i < n; i++)
        x[i] += 1;
    if (n > 1)
        again(n - 1, x);
}

static void keeps(int n, float *x)
{
    static int calls = 0;
    calls++;
    for (int i = 0; i < n; i++)
        x[i] += (float)calls;
}

static void jumps(int n, float *x)
{
    for (int i = 0; i < n; i++) {
        if (x[i] < 0)
            goto out;
        x[i] += 1;
    }
out:
    x[0] = 0;
}

static void frees(int n, float *x)
{
    for (int i = 0; i < n; i++)
        x[i] += 1;
    free(x);
}

static void moves(int n, float *x)
{
    for (int i = 0; i < n; i++)
        *x++ += 1;
}

static void hides(int n, float *x)
{
    for (int i = 0; i < n; i++)
        x[i] += shift;
}

static void points(int n, float *x)
{
    int rest = n, *left = &rest;
    for (int i = 0; i < *left; i++)
        x[i] += 1;
}

static void through(int n, float *x, work f)
{
    for (int i = 0; i < n; i++)
        f(1, x + i);
}

static void structure(struct grid g)
{
    for (int i = 0; i < g.n; i++)
        g.at[i] += 1;
}

static float stores(int n, float *x)
{
    for (int i = 0; i < n; i++)
        x[i] += 1;
    return x[0];
}

static void sized(int n, float *x)
{
    float t[n];
    for (int i = 0; i < n; i++)
        t[i] = x[i];
    for (int i = 0; i < n; i++)
        x[i] += t[n - 1 - i];
}

static void taken(int n, float *x, float value) { x[n - 1] = value; }
static float table[20][30];
static void filled(int m, int n, float t[m][n])
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            t[i][j] = i;
}
void reasons(int n, int rounds, float *restrict a, float *restrict b, float **rows, struct grid g)
{
    float r, shift = 0;
#pragma scop
    early(n, a);
    again(n, a);
    keeps(n, a);
    jumps(n, a);
    frees(n, a);
    moves(n, a);
    hides(n, a);
    points(n, a);
    through(n, a, NULL);
    structure(g);
    r = 1 + stores(n, a);
    for (int t = 0; t < rounds; t++)
        sized(n, a);
    taken(n, a, stores(n, b));
    filled(20, n, table);
    filled(20, 30, table);
    for (int i = 0; i < n; i++)
        b[i] = r + shift;
#pragma endscop
}
