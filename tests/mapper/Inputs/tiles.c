/* Loops that a person cut in tiles, and bounds that are the least or the greatest of several. n and m may be 0 or below. */
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(x, y) (((x) >= (y)) ? (x) : (y))
#define T 4
static inline long lesser(long x, long y) { return y > x ? x : y; }
static long least(long x, long y)
{
    if (x <= y)
        return x;
    return y;
}

/* A product. */
void product(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
#pragma scop
    for (long ii = 0; ii < n; ii += T)
        for (long jj = 0; jj < n; jj += T)
            for (long kk = 0; kk < m; kk += 3)
                for (long i = ii; i < MIN(ii + T, n); i++)
                    for (long j = jj; j < (jj + T < n ? jj + T : n); j++)
                        for (long k = kk; k < least(kk + 3, m); k++)
                            b[i * n + j] += a[i * m + k] * a[k * n + j] / 3;
#pragma endscop
}
/* Two levels, iterators of C89, `<=`, and literal sizes whose tiles are whole. */
void levels(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    long iii, ii, i, j;
#pragma scop
    for (iii = 1; iii <= n - 1; iii += 8)
        for (j = 0; j < m; j++)
            for (ii = iii; ii <= MIN(iii + 7, n - 1); ii += 2)
                for (i = ii; i <= MIN(ii + 1, n - 1); i++)
                    b[j * n + i] = a[i] + j;
    for (ii = 0; ii < 16; ii += T)
        for (i = ii; i < ii + T; i++)
            c[i] += i;
#pragma endscop
}
/* Two loops over the points of a tile, each statement in one. */
void both(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
#pragma scop
    for (long ii = 0; ii < n; ii += T) {
        for (long i = ii; i < ii + T && i < n; i++)
            b[i] = a[i] * 2;
        for (long i = ii; i < lesser(n, lesser(ii + T, n)); i++)
            c[i] = b[i] > 1;
    }
#pragma endscop
}
/* What an iteration of a tile leaves, the next one reads: steps of time within a tile are no steps of all. */
void times(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
#pragma scop
    for (long ii = 1; ii < n; ii += T)
        for (long t = 0; t < m; t++)
            for (long i = ii; i < MIN(ii + T, n); i++)
                a[i] = a[i - 1] / 2 + a[i + 1] * b[t];
#pragma endscop
}
/* The tile is used; ends before the points do, or behind them; its statements are not all of points; a value goes through it. */
void kept(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    double last = 0;
#pragma scop
    for (long ii = 0; ii < n; ii += T)
        for (long i = ii; i < MIN(ii + T, n); i++)
            b[i] = a[i - ii];
    for (long ii = 0; ii < n; ii += T)
        for (long i = ii; i < MIN(ii + T, n + m); i++)
            b[i] += a[i];
    for (long ii = 0; ii < n; ii += T) {
        c[ii] = 1;
        for (long i = ii; i < MIN(ii + T, n); i++)
            c[i] += 2;
    }
    for (long jj = 0; jj < m; jj += T)
        for (long i = 0; i < n; i++) {
            double t = b[i];
            for (long j = jj; j < MIN(jj + T, m); j++)
                t += a[j] / 3;
            b[i] = t * 0.5;
        }
    for (long ii = 0; ii < n; ii += T)
        for (long i = ii; i < ii + T; i++)
            b[i] += 1;
    for (long ii = 0; ii < 14; ii += T)
        for (long i = ii; i < ii + T; i++)
            c[i] *= 3;
    for (long ii = 0; ii < n; ii += T)
        for (long i = ii; i < MIN(ii + T, MIN(n, n + m)); i++)
            c[i] -= 1;
    for (long ii = 0; ii < n; ii += T) {
        for (long i = ii; i < MIN(ii + T, n); i++)
            last = a[i];
        for (long i = ii; i < MIN(ii + T, n); i++)
            b[i] -= last;
    }
#pragma endscop
}
/* Bands, upwards and downwards, of signed and unsigned numbers. */
static void banded(int n, int w, unsigned size, const double a[restrict n], double b[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int j = i; j < MIN(n, i + w + 1); j++)
            s += a[j] / 3;
        for (int j = n - 1; j >= MAX(i - 2, 1); j--)
            s = s / 2 + a[j];
        for (int j = 0; j < MAX(i, 0); j++)
            s -= a[j];
        b[i] = s;
    }
    for (unsigned i = 0; i < size; i++)
        for (unsigned j = 0; j < MIN(i + 2, MIN(7u, size)); j++)
            b[i] += a[j];
#pragma endscop
}
void bands(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    if (n > 0)
        banded((int)n, (int)m, (unsigned)n, a, b);
}
