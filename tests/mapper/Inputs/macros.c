/* Macros, whose parts have no text of their own in the file, and conversions that C makes. */
#include <stddef.h>
#define SQUARE(n) ((n) * (n) + 1)
#define BELOW(i, n) ((i) < (n) * (n))
#define AT(i, j) ((i) * m + (j))

/* A bound as a whole. */
void whole(long n, long m, double *a, double *b, int *c)
{
#pragma target
    for (int i = 0; i < SQUARE(n); i++)
        a[i] = 2 * b[i];
}

/* A bound that is part of a condition. */
void part(long n, long m, double *a, double *b, int *c)
{
#pragma target
    for (long i = 0; BELOW(i, n); i++)
        a[i] = 2 * b[i];
}

/* A row that is part of a subscript, as the loop over rows stays on the host. */
void row(long n, long m, double *a, double *b, int *c)
{
#pragma scop
    for (long i = 0; i < n; i++) {
        a[i * i % 3] = b[i];
        for (long j = 0; j < m; j++)
            b[AT(i, j)] = a[j] + 1;
    }
#pragma endscop
}

/* m - i is below 0 in the last iterations, and m is unsigned. */
static void body(size_t n, size_t m, double *restrict a, double *restrict b)
{
#pragma scop
    for (size_t i = 0; i < n; i++) {
        a[i * i % 3] = b[i];
        for (int j = i; j < m; j++)
            b[j] = a[3] + j;
    }
#pragma endscop
}

void converted(long n, long m, double *a, double *b, int *c)
{
    double copy[5] = {a[0], a[1], a[2], a[3], a[4]};
    body(n > 0 ? (size_t)n : 0, m > 0 ? (size_t)m : 0, copy, b);
    a[0] = copy[0] + copy[1] + copy[2];
}

/* Macros of math.h that are calls to the compiler. */
#include <math.h>
void special(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
#pragma scop
    for (long i = 0; i < n; i++) {
        double least = INFINITY;
        for (long j = 0; j < m; j++)
            least = fmin(least, a[j] / (j - i));
        b[i] = isnan(a[i]) || signbit(least) ? NAN : least;
        c[i] = (int)lround(a[i] * 7) + (isfinite(least) ? 1 : 0) + (isinf(least) != 0 ? 2 : 0);
    }
#pragma endscop
}
