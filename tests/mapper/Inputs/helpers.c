/* Functions that a fragment calls. */
#include <math.h>

enum { SIDE = 20 };
static double grid[SIDE][SIDE], scale = 0.5;

static inline int clamp(int v, int lo, int hi) { return v < lo ? lo : v > hi ? hi : v; }
static double square(double x) { return x * x; }
static double at(const double *matrix, int pitch, int i, int j) { return matrix[i * pitch + j]; }
static void put(double *matrix, int at, double value) { matrix[at] = value * scale; }

static double distribution(double d)
{
    const double k = 1.0 / (1.0 + 0.25 * fabs(d));
    double c = exp(-0.5 * square(d)) * k * (0.5 + k);
    if (d > 0)
        c = 1.0 - c;
    return c;
}

static int sign(double x)
{
    if (x > 0)
        return 1;
    if (x < 0)
        return -1;
    return 0;
}

static double around(int i, int j)
{
    double sum = 0;
    for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++)
            if (x != 0 || y != 0)
                sum += grid[(i + y + SIDE) % SIDE][(j + x + SIDE) % SIDE];
    return sum;
}

static void rotate(double *x, double *y, int i, double angle)
{
    double old = x[i];
    x[i] = old * cos(angle) - y[i] * sin(angle);
    y[i] = old * sin(angle) + y[i] * cos(angle);
}

static void raise(double *x, int i)
{
    if (x[i] > 1)
        return;
    x[i] += 1;
}

#pragma GCC diagnostic ignored "-Wunused-parameter"
void elementwise(long n, long m, double *a, double *b, int *c)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        a[i] = distribution(b[i]) + square(square(b[i]));
        c[i] = sign(b[i]) + clamp(c[i], -2, 3);
    }
#pragma endscop
}

void matrices(long n, long m, double *a, double *b, int *c)
{
    int width = m;
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < width; j++)
            put(a, i * width + j, at(b, width, i, j) + c[0]);
#pragma endscop
}

void board(long n, long m, double *a, double *b, int *c)
{
#pragma scop
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++)
            grid[i][j] = b[i + j];
    for (int i = 0; i < n && i < SIDE; i++)
        for (int j = 0; j < m && j < SIDE; j++)
            a[i * SIDE + j] = around(i, j);
#pragma endscop
}

void pairs(long n, long m, double *a, double *b, int *c)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        rotate(a, b, i, 0.25);
        raise(a, i);
    }
#pragma endscop
}

/* What an iteration puts the next one takes. */
void chain(long n, long m, double *a, double *b, int *c)
{
#pragma scop
    for (int i = 1; i < n; i++)
        put(a, i, at(a, 1, i - 1, 0) + b[i]);
    for (int i = 0; i < n; i++)
        b[i] = square(a[i]);
#pragma endscop
}
